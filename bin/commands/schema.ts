// `fieldguide schema`: the JSON Schema of project.yaml, made from the definition that checks it.

import { projectSchema } from '../../build/project.ts';

export function schema(): number {
  process.stdout.write(`${JSON.stringify(projectSchema(), null, 2)}\n`);
  return 0;
}

// A question that a person answers on the terminal; anything but yes is no.

import { createInterface } from 'node:readline';

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

export async function confirm(question: string): Promise<boolean> {
  return (await yesOrNo(question)) === true;
}

/** Undefined when the person ends the questions, by Ctrl-C or Ctrl-D. */
export async function yesOrNo(question: string): Promise<boolean | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string | undefined>((resolve) => {
      lines.once('close', () => resolve(undefined));
      lines.question(`${question} [y/N] `, resolve);
    });
    return answer === undefined ? undefined : /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

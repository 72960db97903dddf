// Paths as models write them. In a file of its own because the audit names what context_for reads.

/** `./src/../lib/a.ts` is `lib/a.ts`. What leads out keeps its dots, and is refused. */
export function plainPath(written: string): string {
  const segments: string[] = [];
  for (const segment of written.replaceAll('\\', '/').split('/')) {
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (segment !== '.' && (segment !== '' || segments.length === 0)) segments.push(segment);
  }
  return segments.join('/');
}

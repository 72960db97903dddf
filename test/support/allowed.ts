// Who may read what, said a second time and as plainly as can be: from the rules as project.yaml has them, by
// recursion and without a line of the product's.

/** Of `resources`: the last that matches counts. */
export function isAllowed(rules: string | readonly string[] | undefined, uri: string): boolean {
  let allowed = false;
  for (const rule of typeof rules === 'string' ? [rules] : (rules ?? [])) {
    const takesAway = rule[0] === '!';
    if (isMatch(takesAway ? rule.slice(1) : rule, uri)) allowed = !takesAway;
  }
  return allowed;
}

function isMatch(pattern: string, uri: string): boolean {
  if (pattern === '*') return true;
  return withoutBraces(pattern).some((one) => segmentsMatch(one.split('/'), uri.split('/')));
}

function withoutBraces(pattern: string): string[] {
  const brace = /\{([^{}]*)\}/.exec(pattern);
  if (brace === null) return [pattern];
  const [whole, inside = ''] = brace;
  return inside.split(',').flatMap((choice) => withoutBraces(pattern.replace(whole, choice)));
}

function segmentsMatch([first, ...rest]: string[], segments: string[]): boolean {
  if (first === undefined) return segments.length === 0;
  if (first === '**') {
    if (rest.length === 0) return segments.length > 0;
    return segments.some((_, n) => segmentsMatch(rest, segments.slice(n)));
  }
  return segments.length > 0 && lettersMatch(first, segments[0] as string) && segmentsMatch(rest, segments.slice(1));
}

function lettersMatch(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*') {
    return lettersMatch(pattern.slice(1), text) || (text !== '' && lettersMatch(pattern, text.slice(1)));
  }
  const set = /^\[(.)-(.)\]/.exec(pattern);
  if (set !== null) {
    const [whole, low = '', high = ''] = set;
    const letter = text[0] ?? '';
    return letter >= low && letter <= high && lettersMatch(pattern.slice(whole.length), text.slice(1));
  }
  return text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && lettersMatch(pattern.slice(1), text.slice(1));
}

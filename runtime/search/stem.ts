// A light English stemmer: plurals, -ing, -ed. It only makes weak synonyms, so it may miss; what it must
// not do is change the start of a word, because words of one stem are looked for by their first letters.

const VOWEL = /[aeiouy]/;

export function stem(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  let root = withoutPlural(word);
  for (const ending of ['ing', 'ed']) {
    const cut = root.slice(0, -ending.length);
    if (root.endsWith(ending) && cut.length > 2 && VOWEL.test(cut)) {
      root = /([^aeioulsz])\1$/.test(cut) ? cut.slice(0, -1) : cut;
      break;
    }
  }
  return root.length > 3 ? root.replace(/(?:e|y|i)$/, '') : root;
}

function withoutPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return word.slice(0, -2);
  if (/(?:sses|xes|ches|shes|zes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

// Options that several commands share.

export const ROOT = { name: 'root', value: 'folder', about: 'the project; the current folder unless said' };

export const BUNDLE = {
  name: 'bundle',
  value: 'path',
  about: 'bundle file or its folder; dist-index under the root unless said',
};

export const STORE = {
  name: 'store',
  value: 'where',
  about: `where live data is kept: journal, postgres://… or '\${NAME}'; as project.yaml says unless given`,
};

export const MAP = {
  name: 'map',
  value: 'how',
  about: 'how the bundle is read: auto, mmap or pread',
  choices: ['auto', 'mmap', 'pread'],
};

export const TRUST_UPSTREAMS = {
  name: 'trust-upstreams',
  about: 'start the programs of upstreams, whoever made the bundle',
};

export const AGENT = { name: 'agent', value: 'name', about: 'as this agent of project.yaml; everything unless said' };

export const JSON_OUT = { name: 'json', about: 'print data, not text' };

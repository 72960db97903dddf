// The name of the file that a bundle starts from; alone, so that knowing it loads no YAML.

export const PROJECT_FILE = 'project.yaml';

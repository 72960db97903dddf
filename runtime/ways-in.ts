// The two URIs that everything starts from; in a file of their own, because the grammar and the advice
// both name them.

export const OVERVIEW_URI = 'context://project/overview';
export const HELP_URI = 'guide://help';

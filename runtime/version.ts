// The version of this program; a test holds it equal to package.json's.

export const VERSION = '0.1.0';
export const SERVER_INFO = { name: 'fieldguide', title: 'Fieldguide', version: VERSION };

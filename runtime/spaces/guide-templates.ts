// The forms of guide:// URIs, as clients are shown them. Apart from what answers them: that is loaded when first needed.

export const GUIDE_TEMPLATES = [
  template('guide://collection/{id}', 'Collection', 'All documents of a collection'),
  template('guide://category/{name}', 'Category', 'The documents a category answers with by default'),
  template(
    'guide://category/{name}/{docId}',
    'Category Documents',
    'A document, or all that match a pattern, of a category',
  ),
  template('guide://document/{context}/{docId}', 'Document', 'Exactly one document of a category or collection'),
];

function template(uriTemplate: string, name: string, description: string) {
  return { uriTemplate, name, title: name, description, mimeType: 'text/markdown' };
}

/** Every text of the console, in one place for translation. */
export const texts = {
  title: 'Stockroom',
  skipToContent: 'Skip to content',
  loading: 'Loading …',
  tryAgain: 'Try again',
  toStart: 'Go to the start page',
  notFound: 'There is no such page',
  unreachable: 'The service cannot be reached. Check the network and try again.',
  signOut: 'Sign out',
  signIn: {
    heading: 'Sign in',
    key: 'API key',
    keepOnDevice: 'Stay signed in on this device',
    submit: 'Sign in',
    refused: 'This key is not valid. Ask an administrator for a new one.',
  },
  nav: { label: 'Pages', skus: 'SKUs' },
  words: {
    sku: 'SKU',
    description: 'Description',
    onHand: 'On hand',
    reserved: 'Reserved',
    available: 'Available',
  },
  skus: { search: 'Search', none: 'No SKU matches.' },
} as const;

import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions: readonly PageDefinition[] = []

// `pages` is empty, because the replies are a section of the page `/posts/:id` (page-sections.ts). The
// browser fetches the replies after the page is loaded: they are not in the HTML page, because `initialData`
// would add the contract of replies to the scripts of every page.

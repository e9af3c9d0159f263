import type { PageDefinition } from '#core/contract.ts'

export const pages: readonly PageDefinition[] = []

// `pages` is empty, because the replies are a section of the page `/posts/:id` (page-sections.ts). The HTML
// page does not contain the replies, because `initialData` would add the contract of replies to the
// scripts of every page. The browser fetches the replies.

import type { PageDefinition } from '#core/contract.ts'

export const pages: readonly PageDefinition[] = []

// The HTML of the page `/posts/:id` includes no replies, because `initialData` would add the contract of
// replies to the scripts of every page. The browser fetches the replies.

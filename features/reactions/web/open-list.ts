import { createStore } from '#web/store.ts'

/**
 * The store with the id of the message whose list of people who react is open; null if no list is open. The
 * menu of the message opens the list, but cannot contain it, because a closed menu hides everything inside
 * it.
 */
export const messageIdWithOpenReactorsStore = createStore<number | null>(null)

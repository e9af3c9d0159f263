import { createStore } from '#web/store.ts'

/**
 * The message whose list of people who react is open, or null. The menu of the message opens the list, but
 * cannot contain it, because a closed menu hides everything inside it.
 */
export const openReactors = createStore<number | null>(null)

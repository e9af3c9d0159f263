import { createStore } from '#web/store.ts'

/**
 * The id of the message whose list of people who reacted is open. The menu of the message opens the list,
 * but cannot contain it, because a closed menu hides everything inside it.
 */
export const messageWithOpenReactorsStore = createStore<number | null>(null)

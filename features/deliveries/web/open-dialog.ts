import { createStore } from '#web/store.ts'

/**
 * The id of the message whose dialog “How it reached you” is open; null if no such dialog is open. The
 * menu of the message opens the dialog, but cannot contain it, because a closed menu hides everything inside
 * it.
 */
export const messageIdOfOpenDeliveryDialogStore = createStore<number | null>(null)

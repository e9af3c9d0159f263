import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import { findAnswer, pageData } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { createStore, useStore } from '#web/store.ts'
import { CHANGED_EVENT, countEndpoints } from '../count-contract.ts'

const initial = findAnswer(countEndpoints.get)?.body as { count: number } | undefined
/** Of the member: what waits, and what could not be sent. */
export const countStore = createStore<{ count: number }>(initial ?? { count: 0 })
export const useCount = () => useStore(countStore, ({ count }) => count)
export const useIsWaiting = () => useCount() > 0

/** Without the feature `conversations`, the channel of these events does not exist. */
export function useChanges(me: number | null, onChange: (data: { count: number }) => void) {
  const hasChannel = me !== null && pageData.app.features.includes('conversations')
  realtime.useListener(hasChannel ? fillChannel(chatChannels.member, { user: me }) : null, {
    events: { [CHANGED_EVENT]: onChange },
  })
}

export const useCountUpdates = (me: number | null) => useChanges(me, countStore.set)

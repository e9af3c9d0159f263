import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { ContentLoader } from '#web/content-loader.ts'
import { onMeChange } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { type ReactionEvents, reactionEndpoints } from '../contract.ts'
import * as store from './reaction-store.ts'

const loader = new ContentLoader({
  initialKeys: store.storeInitial(),
  request: (ids) => callEndpoint(reactionEndpoints.summaries, ids),
  store: store.storeSummaries,
  events: {
    ReactionsChanged({ subject, subject_id, reactions }: ReactionEvents['ReactionsChanged']) {
      const key = store.toKey(subject, subject_id)
      if (loader.recordChange(key)) store.applyOrHold(key, { counts: reactions })
    },
  },
})

let stopOwnEvents: (() => void) | undefined
/**
 * The member may have changed reactions in another window. Without the feature `chat`, the channel of these
 * events does not exist.
 */
function receiveOwnEvents(me: number) {
  if (stopOwnEvents || !pageData.app.features.includes('conversations')) return
  stopOwnEvents = realtime.listen(fillChannel(chatChannels.member, { user: me }), {
    events: {
      OwnReactionChanged({ subject, subject_id, emoji, mine }: ReactionEvents['OwnReactionChanged']) {
        const key = store.toKey(subject, subject_id)
        if (loader.recordChange(key)) store.applyOrHold(key, { emoji, mine })
      },
    },
  })
}

/** Until the returned function is called. */
export function keepReactions(content: ContentInfo, me: number | null) {
  const stop = loader.keepUpToDate(content)
  if (me !== null) receiveOwnEvents(me)
  return stop
}

onMeChange((change) => {
  if (change !== 'account') return
  stopOwnEvents?.()
  stopOwnEvents = undefined
})

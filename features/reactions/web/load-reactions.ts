import { fillChannelNameParameters } from '#core/contract.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'
import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { AddedContentDataBatchLoader } from '#web/content-loader.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { listenToChannel } from '#web/realtime.ts'
import { type ReactionEventDataByName, reactionEndpoints } from '../contract.ts'
import {
  applyOrHoldReactionEvent,
  storeInitialReactions,
  storeReactionSummaries,
  toReactionSubjectKey,
} from './reaction-store.ts'

// The functions in this file load the reactions to the posts, replies and messages on the page, and keep them
// up to date by live events.

const loader = new AddedContentDataBatchLoader({
  initialKeys: storeInitialReactions(),
  request: (ids) => callEndpoint(reactionEndpoints.summaries, ids),
  store: storeReactionSummaries,
  events: {
    ReactionsChanged({ subject, subject_id, reactions }: ReactionEventDataByName['ReactionsChanged']) {
      const key = toReactionSubjectKey(subject, subject_id)
      if (loader.recordChange(key)) applyOrHoldReactionEvent(key, { counts: reactions })
    },
  },
})

let stopOwnEvents: (() => void) | undefined
/**
 * Subscribes to the live events about the member's own reactions, which the member may have changed in
 * another window. Does nothing without the feature `chat`, because the channel of these events does not exist
 * then.
 */
function receiveOwnEvents(me: number) {
  if (stopOwnEvents || !initialPageData.app.features.includes('chat')) return
  stopOwnEvents = listenToChannel(fillChannelNameParameters(chatChannelDefinitions.member, { user: me }), {
    events: {
      OwnReactionChanged({
        subject,
        subject_id,
        emoji,
        mine,
      }: ReactionEventDataByName['OwnReactionChanged']) {
        const key = toReactionSubjectKey(subject, subject_id)
        if (loader.recordChange(key)) applyOrHoldReactionEvent(key, { emoji, mine })
      },
    },
  })
}

/**
 * Keeps the reactions to one post, reply or message on the page up to date, until the returned function is
 * called.
 */
export function keepReactionsUpToDate(content: PostReplyOrMessageInfo, me: number | null) {
  const stop = loader.keepUpToDate(content)
  if (me !== null) receiveOwnEvents(me)
  return stop
}

addOwnAccountProfileOrFollowsListener((change) => {
  if (change !== 'account') return
  stopOwnEvents?.()
  stopOwnEvents = undefined
})

import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { AddedContentDataBatchLoader, toContentKey } from '#web/content-loader.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import {
  type LinkPreview,
  type LinkPreviewChanged,
  type LinkPreviewsByKindAndId,
  linkPreviewEndpoints,
} from '../contract.ts'

// This file keeps the previews of the links in the posts, replies and messages that are on the page.

/** The previews of posts, replies and messages by their `toContentKey`; null for a text without a preview. */
export const shownLinkPreviewsStore = createStore<{ shown: ReadonlyMap<string, LinkPreview | null> }>({
  shown: new Map(),
})

export const setShownLinkPreview = (key: string, preview: LinkPreview | null) =>
  shownLinkPreviewsStore.patch({ shown: new Map(shownLinkPreviewsStore.get().shown).set(key, preview) })

/**
 * Stores the previews from a response about the texts with these keys. A text that the response lacks has no
 * preview.
 */
function storeAnswer(keys: readonly string[], { posts, replies, messages }: LinkPreviewsByKindAndId) {
  const previewsOf = { post: posts, reply: replies, message: messages }
  const shown = new Map(shownLinkPreviewsStore.get().shown)
  for (const key of keys) {
    const [kind, id] = key.split(' ') as [PostReplyOrMessageInfo['kind'], string]
    shown.set(key, previewsOf[kind][id] ?? null)
  }
  shownLinkPreviewsStore.patch({ shown })
}

/** Stores the previews that the server sent with the HTML page, and returns the keys of their texts. */
function storeInitialPreviews() {
  const answer = findInitialEndpointResponse(linkPreviewEndpoints.list)?.body as
    | LinkPreviewsByKindAndId
    | undefined
  if (!answer) return []
  const keysOf = (kind: PostReplyOrMessageInfo['kind'], previews: object) =>
    Object.keys(previews).map((id) => toContentKey(kind, Number(id)))
  const keys = [...keysOf('post', answer.posts), ...keysOf('message', answer.messages)]
  storeAnswer(keys, answer)
  return keys
}

const loader = new AddedContentDataBatchLoader({
  initialKeys: storeInitialPreviews(),
  request: (ids) => callEndpoint(linkPreviewEndpoints.list, ids),
  store: storeAnswer,
  events: {
    LinkPreviewChanged({ subject, subject_id, preview }: LinkPreviewChanged) {
      const key = toContentKey(subject, subject_id)
      if (loader.recordChange(key)) setShownLinkPreview(key, preview)
    },
  },
})

/**
 * Keeps the stored preview of a post, reply or message up to date with the live events, until the returned
 * function is called.
 */
export const keepLinkPreviewUpToDate = (content: PostReplyOrMessageInfo) => loader.keepUpToDate(content)

addOwnAccountProfileOrFollowsListener((change) => {
  if (change === 'account') shownLinkPreviewsStore.patch({ shown: new Map() })
})

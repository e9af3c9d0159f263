import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { ContentLoader, contentKey } from '#web/content-loader.ts'
import { onMeChange } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import { type LinkPreview, type LinkPreviewChanged, type Previews, previewEndpoints } from '../contract.ts'

/** By `contentKey`; null for a text without a preview. */
export const previewStore = createStore<{ shown: ReadonlyMap<string, LinkPreview | null> }>({
  shown: new Map(),
})

export const setPreview = (key: string, preview: LinkPreview | null) =>
  previewStore.patch({ shown: new Map(previewStore.get().shown).set(key, preview) })

/** A requested text (`keys`) that the response lacks has no preview. */
function storeAnswer(keys: readonly string[], { posts, replies, messages }: Previews) {
  const previewsOf = { post: posts, reply: replies, message: messages }
  const shown = new Map(previewStore.get().shown)
  for (const key of keys) {
    const [kind, id] = key.split(' ') as [ContentInfo['kind'], string]
    shown.set(key, previewsOf[kind][id] ?? null)
  }
  previewStore.patch({ shown })
}

/** From the HTML page. Returns the keys of the texts. */
function storeInitialPreviews() {
  const answer = findAnswer(previewEndpoints.list)?.body as Previews | undefined
  if (!answer) return []
  const keysOf = (kind: ContentInfo['kind'], previews: object) =>
    Object.keys(previews).map((id) => contentKey(kind, Number(id)))
  const keys = [...keysOf('post', answer.posts), ...keysOf('message', answer.messages)]
  storeAnswer(keys, answer)
  return keys
}

const loader = new ContentLoader({
  initialKeys: storeInitialPreviews(),
  request: (ids) => callEndpoint(previewEndpoints.list, ids),
  store: storeAnswer,
  events: {
    LinkPreviewChanged({ subject, subject_id, preview }: LinkPreviewChanged) {
      const key = contentKey(subject, subject_id)
      if (loader.recordChange(key)) setPreview(key, preview)
    },
  },
})

/** Until the returned function is called. */
export const keepPreview = (content: ContentInfo) => loader.keepUpToDate(content)

onMeChange((change) => {
  if (change === 'account') previewStore.patch({ shown: new Map() })
})

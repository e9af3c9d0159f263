import { draftKey as chatDraftKey } from '#features/conversations/web/draft-key.ts'
import {
  audienceKey,
  draftAudienceKey,
  extrasKey,
  draftKey as postDraftKey,
} from '#features/posts/web/draft-keys.ts'
import { callEndpoint } from '#web/api.ts'
import { onOutageEnd } from '#web/connection.ts'
import { deliver, onLocalWrite, readLocal, writeLocal, writtenAt } from '#web/local-storage.ts'
import { type Draft, draftEndpoints } from '../contract.ts'

// The forms write their drafts into local storage, as without this feature. Here they are sent to the server
// when the member pauses, and newer ones of other devices are put into local storage, unless the member has
// written something here that the server does not have.

/** In ms, from the last letter to the request. */
const PAUSE = 2000
/** In ms, between two looks for drafts of other devices. */
const MIN_INTERVAL = 5000

type Place = Pick<Draft, 'kind' | 'id'>
interface Known {
  /** In ms, of the last change. */
  at: number
  /** The server has it. */
  isSynced: boolean
}

/** Another client may have written anything. */
function parseMore(more: string | null): { audience?: unknown; extras?: unknown } {
  try {
    return JSON.parse(more ?? '{}') ?? {}
  } catch {
    return {}
  }
}

const isVisible = () => document.visibilityState === 'visible'

/** Returns a function that ends it. */
export function start(me: number) {
  const timesKey = `engawa:draft-times:${me}`
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  let lastLook = 0

  const keyOf = ({ kind, id }: Place) =>
    kind === 'post'
      ? postDraftKey(me)
      : chatDraftKey(me, { kind: kind === 'person' ? 'private' : 'groups', id: id! })
  function placeOf(key: string): Place | undefined {
    if (key === postDraftKey(me)) return { kind: 'post', id: null }
    const [, account, kind, id] = /^engawa:talk:(\d+):(private|groups) (\d+)$/.exec(key) ?? []
    if (Number(account) !== me) return undefined
    return { kind: kind === 'private' ? 'person' : 'group', id: Number(id) }
  }

  // Read each time, because other tabs write it too.
  function times(): Record<string, Known> {
    try {
      return JSON.parse(readLocal(timesKey) ?? '{}')
    } catch {
      return {}
    }
  }
  const setTime = (key: string, known: Known) =>
    writeLocal(timesKey, JSON.stringify({ ...times(), [key]: known }))

  const partKeys = [audienceKey(me), draftAudienceKey(me), extrasKey(me)]
  /** A text that may be for few must not be offered to more on another device. */
  const moreOf = ({ kind }: Place) =>
    kind === 'post'
      ? JSON.stringify({
          audience: readLocal(draftAudienceKey(me)) ?? readLocal(audienceKey(me)) ?? '',
          extras: readLocal(extrasKey(me)) ?? '',
        })
      : null
  function deliverMore(more: string | null) {
    const { audience, extras } = parseMore(more)
    deliver(draftAudienceKey(me), String(audience ?? ''))
    deliver(extrasKey(me), String(extras ?? ''))
  }

  function onWrite(written: string) {
    const key = partKeys.includes(written) ? postDraftKey(me) : written
    if (!placeOf(key)) return
    setTime(key, { at: Date.now(), isSynced: false })
    clearTimeout(waiting.get(key))
    waiting.set(
      key,
      setTimeout(() => push(key), PAUSE),
    )
  }

  async function push(key: string) {
    clearTimeout(waiting.get(key))
    waiting.delete(key)
    const [place, known, text] = [placeOf(key), times()[key], readLocal(key) ?? '']
    if (!place || !known || known.isSynced) return
    const draft = { ...place, text, more: moreOf(place), written_at: new Date(known.at).toISOString() }
    // Tried again at the next letter, or when the member comes back.
    const kept = await callEndpoint(draftEndpoints.save, draft).catch(() => undefined)
    if (!kept || times()[key]?.at !== known.at) return
    if (kept.text === text) setTime(key, { at: Date.parse(kept.written_at), isSynced: true })
    else take(kept)
  }

  /** What the member has written here, and the server does not have, stays. */
  function take(draft: Draft) {
    const key = keyOf(draft)
    const known = times()[key]
    const text = readLocal(key) ?? ''
    const at = Date.parse(draft.written_at)
    if ((text && !known?.isSynced) || (known && known.at >= at)) return
    setTime(key, { at, isSynced: true })
    if (draft.kind === 'post') deliverMore(draft.more)
    if (text !== draft.text) deliver(key, draft.text)
  }

  async function look() {
    if (!isVisible() || Date.now() - lastLook < MIN_INTERVAL) return
    lastLook = Date.now()
    const drafts = await callEndpoint(draftEndpoints.list, {}).catch(() => [])
    for (const draft of drafts) take(draft)
    for (const [key, { isSynced }] of Object.entries(times())) if (!isSynced) void push(key)
  }

  function onVisibility() {
    if (isVisible()) return void look()
    for (const key of waiting.keys()) void push(key)
  }

  for (const key of Object.keys(localStorage))
    if (placeOf(key) && !times()[key]) setTime(key, { at: writtenAt(key), isSynced: false })
  const stopWrites = onLocalWrite(onWrite)
  const stopOutages = onOutageEnd(look)
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('focus', look)
  void look()
  return () => {
    stopWrites()
    stopOutages()
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('focus', look)
    for (const timer of waiting.values()) clearTimeout(timer)
  }
}

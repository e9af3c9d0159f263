import type { Me, Person } from '#features/people/contract.ts'
import type { Image } from '#features/posts/contract.ts'
import { api, apiPage } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { type ConversationRef, conversationKey, markRead, unreadAt } from '#web/unread.ts'
import {
  chat,
  type Group,
  type GroupChange,
  type GroupMessage,
  type GroupMessageEvent,
  groups,
  type PrivateChat,
  type PrivateMessage,
} from '../contract.ts'
import { type Outgoing, openOutbox } from './outbox.tsx'

/** Milliseconds in which what arrives is drawn together. */
const TOGETHER = 16

/** A message of either kind of chat, as the pages show it. */
export interface Message {
  id: number
  client_id: string | null
  author: Person
  message: string
  images: readonly Image[]
  created_at: string
  edited_at: string | null
  deleted_at: string | null
}
type About = PrivateChat | Group
export const isGroup = (about: About): about is Group => 'members_count' in about

export interface Thread {
  status: 'waiting' | 'there' | 'failed'
  error: unknown
  about: About | null
  /** Oldest first, without gaps from the first one on. */
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  /** Address of the page before; null at the beginning. */
  older: string | null
  olderState: 'idle' | 'loading' | 'failed'
  /** Up to where I had read when this was opened: the divider stays there. */
  openedAt: number
  /** The server does not let me in any more. */
  shut: boolean
}

const MOST = 200
/** Pages that are fetched to begin at the first unread message. */
const REACH = 3
const READ_AFTER = 300
/** Waits after what could not be fetched, ms: twice as long each time. */
const AGAIN = { first: 1000, most: 30_000 }

export function createMessageStore(place: ConversationRef, me: Me) {
  const { kind, id } = place
  const outbox = openOutbox({
    place: `engawa:outbox:${me.id}:${conversationKey(place)}`,
    send,
    tell: () => put({ outgoing: outbox.list() }),
  })
  let now: Thread = {
    status: 'waiting',
    error: null,
    about: null,
    messages: [],
    outgoing: [],
    older: null,
    olderState: 'idle',
    openedAt: 0,
    shut: false,
  }
  const listeners = new Set<() => void>()
  const put = (change: Partial<Thread>) => {
    now = { ...now, ...change }
    for (const told of listeners) told()
  }
  const known = new Map<number, Message>()
  /** Everything up to here is known; beyond a gap in the line single messages may be. */
  let solid = 0
  /** The newest that came by the line since it was there again. */
  let heard = 0
  let inGap = false
  let readTo = 0
  let seenInGap = 0
  let syncing: Promise<void> | null = null
  let visits = 0

  // ── What comes in ─────────────────────────────────────────────────────────

  const fetchAbout = (): Promise<About> =>
    kind === 'private' ? api(chat.privateChat, { id }) : api(groups.show, { id })
  const fetchPage = async (cut: { after?: number; limit?: number }, from: string | null = null) => {
    const page = await (kind === 'private'
      ? apiPage(chat.privateMessages, { id, ...cut }, from)
      : apiPage(chat.groupMessages, { id, ...cut }, from))
    return { rows: page.rows.map(toMessage), next: page.next }
  }

  function toMessage(row: PrivateMessage | GroupMessage | GroupMessageEvent): Message {
    const { id, client_id, message, images, created_at, edited_at, deleted_at } = row
    const author =
      'user' in row ? row.user : row.from_user_id === me.id ? me : (now.about as PrivateChat).user
    return { id, client_id, author, message, images, created_at, edited_at, deleted_at }
  }

  const arriving: Message[] = []
  /** Changed or sent again, but further up than what is here. */
  const isFar = ({ id: one }: { id: number }) =>
    !known.has(one) && now.older !== null && one < (now.messages[0]?.id ?? 0)

  function merge(rows: readonly Message[]) {
    for (const row of rows) known.set(row.id, row)
    put({ messages: [...known.values()].sort((a, b) => a.id - b.id) })
    for (const { client_id, author } of rows) if (client_id && author.id === me.id) outbox.drop(client_id)
  }

  /** Shown once the first unread message is there as well, unless it is far away. */
  function begin(about: About, rows: readonly (PrivateMessage | GroupMessage)[], next: string | null) {
    known.clear()
    put({ about, openedAt: about.last_read_id, older: next, error: null, shut: false })
    readTo = Math.max(readTo, about.last_read_id)
    solid = rows.at(-1)?.id ?? 0
    merge(rows.map(toMessage))
    void outbox.restore((client_id) => now.messages.some((message) => message.client_id === client_id))
    return reach()
  }

  const isBeyond = () =>
    now.older !== null && now.messages[0] !== undefined && now.messages[0].id > now.openedAt + 1
  /** Where the first unread message is too far away, nothing says that it is here. */
  async function reach() {
    if (!isBeyond()) return put({ status: 'there' })
    for (let pages = 0; pages < REACH && isBeyond() && now.olderState !== 'failed'; pages++)
      await loadOlder(MOST)
    put({ status: 'there', ...(isBeyond() && { openedAt: Number.POSITIVE_INFINITY }) })
  }

  const [firstAbout, firstPage] =
    kind === 'private'
      ? [initialAnswer(chat.privateChat, { id }), initialAnswer(chat.privateMessages, { id })]
      : [initialAnswer(groups.show, { id }), initialAnswer(chat.groupMessages, { id })]
  if (firstAbout && firstPage)
    syncing = begin(firstAbout.body as About, firstPage.body as PrivateMessage[], firstPage.next)

  async function load() {
    put({ status: 'waiting', error: null })
    const about = await fetchAbout()
    const page = await (kind === 'private'
      ? apiPage(chat.privateMessages, { id })
      : apiPage(chat.groupMessages, { id }))
    await begin(about, page.rows, page.next)
  }

  /** All that came since, in order, and what was changed among the newest. */
  async function catchUp() {
    const [about, newest] = await Promise.all([fetchAbout(), fetchPage({})])
    let from: string | null = null
    while (newest.next && (newest.rows[0]?.id ?? 0) > solid) {
      const between: Awaited<ReturnType<typeof fetchPage>> = await fetchPage(
        { after: solid, limit: MOST },
        from,
      )
      merge(between.rows)
      solid = Math.max(solid, between.rows.at(-1)?.id ?? 0)
      from = between.next
      if (!from) break
    }
    if (!now.messages.length) put({ older: newest.next })
    merge(newest.rows)
    put({ about })
    solid = Math.max(solid, heard, newest.rows.at(-1)?.id ?? 0)
  }

  let wait = AGAIN.first
  let again: ReturnType<typeof setTimeout> | undefined
  function later() {
    clearTimeout(again)
    again = setTimeout(() => inGap && listeners.size && sync(), wait)
    wait = Math.min(2 * wait, AGAIN.most)
  }

  /** One at a time: who asks meanwhile waits for the next. */
  function sync(): Promise<void> {
    inGap = true
    const run = async () => {
      heard = 0
      try {
        await (now.status === 'there' ? catchUp() : load())
        inGap = false
        wait = AGAIN.first
        read(seenInGap)
      } catch (error) {
        // What was here before is better than nothing.
        if (now.status !== 'there') put(known.size ? { status: 'there' } : { status: 'failed', error })
        // A hole in what is shown is not left alone.
        if (known.size) later()
      }
    }
    const next = (syncing ?? Promise.resolve()).then(run)
    syncing = next
    return next
  }

  async function loadOlder(limit?: number) {
    if (!now.older || now.olderState === 'loading') return
    put({ olderState: 'loading' })
    try {
      const page = await fetchPage({}, limit ? withLimit(now.older, limit) : now.older)
      put({ older: page.next, olderState: 'idle' })
      merge(page.rows)
    } catch {
      put({ olderState: 'failed' })
    }
  }

  // ── What goes out ─────────────────────────────────────────────────────────

  async function send({ client_id, text, pictures }: Outgoing, onProgress: (share: number) => void) {
    const body = { client_id, ...(pictures.length && { alt: pictures.map(({ alt }) => alt) }) }
    const given =
      kind === 'private'
        ? { ...body, input: text, targetUserId: id }
        : { ...body, message: text, group_id: id }
    const options = pictures.length ? { form: formOf(given, pictures), onProgress } : {}
    const { message } = await (kind === 'private'
      ? api(chat.sendPrivate, given as never, options)
      : api(chat.sendGroup, given as never, options))
    if (!isFar(message)) merge([toMessage(message)])
  }

  function change(message: Message, answer: Pick<Message, 'message' | 'edited_at' | 'deleted_at'>) {
    const latest = known.get(message.id) ?? message
    merge([{ ...latest, ...answer, images: answer.deleted_at ? [] : latest.images }])
  }

  let reading: ReturnType<typeof setTimeout> | undefined
  /** Everything up to this message was seen. */
  function read(last: number) {
    if (last <= readTo) return
    if (inGap) {
      // What lies between may not be there yet.
      seenInGap = Math.max(seenInGap, last)
      return
    }
    readTo = last
    markRead(place, now.messages.filter((message) => message.id > last && message.author.id !== me.id).length)
    clearTimeout(reading)
    reading = setTimeout(() => {
      const said =
        kind === 'private'
          ? api(chat.readPrivate, { id, last_read_id: readTo })
          : api(groups.read, { id, last_read_id: readTo })
      // What was not told is told with the next message that is seen.
      said.catch(() => {
        readTo = 0
      })
    }, READ_AFTER)
  }

  return {
    place,
    me,
    get: () => now,
    subscribe(told: () => void) {
      listeners.add(told)
      return () => {
        listeners.delete(told)
      }
    },
    sync,
    loadOlder: () => loadOlder(),
    read,
    /** A new visit. Where something is unread, it begins with what the server says now; else there is nothing to divide. */
    reopen() {
      if (visits++ === 0) return
      if (unreadAt(place)) put({ status: 'waiting' })
      else put({ openedAt: Number.POSITIVE_INFINITY })
    },
    isShut: () => now.shut,
    send: (text: string, pictures: Outgoing['pictures']) => outbox.add(text, pictures),
    retry: outbox.retry,
    /** The line is there again. */
    resume: outbox.resume,
    giveUp: outbox.drop,
    edit: async (message: Message, text: string) =>
      change(message, await api(chat.edit, { id: message.id, message: text })),
    remove: async (message: Message) => change(message, await api(chat.remove, { id: message.id })),
    /** By the live line. */
    arrived(row: PrivateMessage | GroupMessageEvent) {
      if (!now.about || isFar(row)) return
      if (inGap) heard = Math.max(heard, row.id)
      else solid = Math.max(solid, row.id)
      if (kind === 'private' && now.shut) put({ shut: false })
      if (arriving.push(toMessage(row)) === 1) setTimeout(() => merge(arriving.splice(0)), TOGETHER)
    },
    readBy(user: number, last: number) {
      const { about } = now
      if (user === me.id || !about) return
      if (!isGroup(about)) return put({ about: { ...about, seen_id: Math.max(about.seen_id, last) } })
      put({
        about: {
          ...about,
          reads: [
            ...about.reads.filter((one) => one.user_id !== user),
            { user_id: user, last_read_id: last },
          ],
        },
      })
    },
    groupChanged(done: GroupChange) {
      const { about } = now
      if (!about || !isGroup(about)) return
      const members_count =
        about.members_count +
        (done.kind === 'added' ? 1 : done.kind === 'removed' || done.kind === 'left' ? -1 : 0)
      const isOut =
        done.kind === 'deleted' ||
        ((done.kind === 'removed' || done.kind === 'left') && done.person?.id === me.id)
      const name = done.kind === 'renamed' ? done.name! : about.name
      const isBack = done.kind === 'added' && done.person?.id === me.id
      put({
        about: {
          ...about,
          name,
          members_count,
          changes: [...about.changes.filter((one) => one.id !== done.id), done],
        },
        shut: isOut || (now.shut && !isBack),
      })
      if (isBack) void sync()
    },
    shut: () => put({ shut: true }),
  }
}
export type MessageStore = ReturnType<typeof createMessageStore>

function withLimit(address: string, limit: number) {
  const url = new URL(address, location.origin)
  url.searchParams.set('limit', String(limit))
  return url.pathname + url.search
}

function formOf(given: object, pictures: Outgoing['pictures']) {
  const form = new FormData()
  for (const [name, value] of Object.entries(given)) if (name !== 'alt') form.set(name, String(value))
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return form
}

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import {
  type Actor,
  createTestApp,
  type Dialect,
  form,
  type TestApp,
  type TestAppOptions,
} from '#tests/harness.ts'

export type Member = Actor & { id: number }
export const kinds = ['private', 'group'] as const
export type Kind = (typeof kinds)[number]

/** No row has it, though it is one that could be. */
export const nobody = 999_999_999_999_999
/** Texts that are no id. */
export const nonsense = ['0', '-1', 'x', '1.5', '9'.repeat(30)]

/**
 * ann and ben may talk: in private, where each follows the other, or in a group that ann, an admin, made.
 * eve is not in the conversation.
 */
export async function createConversation(dialect: Dialect, kind: Kind, options: TestAppOptions = {}) {
  const place = await createTestApp({ dialect, ...options })
  const { ann, ben, eve } = await place.members('ann', 'ben', 'eve')
  const group = kind === 'group' ? await groupOf(ann, 'Club', ben) : 0
  if (kind === 'private') await befriend(ann, ben)
  else await openGroup(ben, group)
  const isPrivate = kind === 'private'
  const other = (who: Member) => (who.id === ann.id ? ben : ann)
  /** The id that the calls of the conversation take: that of the other person, or of the group. */
  const key = (who: Member) => (isPrivate ? other(who).id : group)
  const calls = isPrivate
    ? { send: '/api/send-private-message', field: 'input', target: 'targetUserId', from: 'from_user_id' }
    : { send: '/api/group-messages/send', field: 'message', target: 'group_id', from: 'user_id' }
  const fields = (who: Member, text: unknown, more: object = {}) => ({
    [calls.target]: key(who),
    [calls.field]: text,
    ...more,
  })
  const conversation = (who: Member) =>
    isPrivate ? `/api/conversations/${key(who)}` : `/api/groups/${key(who)}`
  const history = (who: Member, query = '') =>
    `/api/${isPrivate ? 'messages' : 'group-messages'}/${key(who)}${query}`
  return {
    ...place,
    ann,
    ben,
    eve,
    group,
    ...calls,
    key,
    history,
    conversation,
    channel: isPrivate ? `private-chat.${ann.id}.${ben.id}` : `private-group-chat.${group}`,
    events: isPrivate
      ? { sent: 'PrivateMessageSent', changed: 'PrivateMessageChanged' }
      : { sent: 'GroupMessageSent', changed: 'GroupMessageChanged' },
    /** Tries to send, whatever comes of it. */
    tries: (who: Member, text: unknown, more: object = {}) => who.post(calls.send, fields(who, text, more)),
    async says(who: Member, text: string, more: object = {}): Promise<Message> {
      return sent(await who.post(calls.send, fields(who, text, more)))
    },
    triesPictures: (
      who: Member,
      files: readonly File[],
      more: Record<string, string | readonly string[]> = {},
    ) => who.post(calls.send, form({ [calls.target]: String(key(who)), ...more }, { 'images[]': files })),
    async hears(who: Member, query = ''): Promise<Message[]> {
      const answer = await who.get(history(who, query))
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body
    },
    edits: (who: Member, id: number | string, message: unknown) =>
      who.send('PUT', `/api/chat-messages/${id}`, { message }),
    deletes: (who: Member, id: number | string) => who.delete(`/api/chat-messages/${id}`),
    reads: (who: Member, last_read_id: unknown) =>
      who.send('PUT', `${conversation(who)}/read`, { last_read_id }),
    async unread(who: Member): Promise<number> {
      const { body } = await who.get('/api/unread')
      return body[isPrivate ? 'private' : 'groups'][key(who)] ?? 0
    },
  }
}

export interface Message {
  id: number
  message: string
  created_at: string
  client_id: string | null
  images: { id: number; path: string; srcset: string; alt: string | null }[]
  edited_at: string | null
  deleted_at: string | null
}

function sent({ status, body }: Awaited<ReturnType<Actor['post']>>): Message {
  expect(status, JSON.stringify(body)).toBe(200)
  return body.message
}

export const write = async (from: Actor, to: Member, input: string, more: object = {}) =>
  sent(await from.post('/api/send-private-message', { input, targetUserId: to.id, ...more }))

export const say = async (from: Actor, group_id: number, message: string, more: object = {}) =>
  sent(await from.post('/api/group-messages/send', { message, group_id, ...more }))

export async function befriend(one: Member, two: Member) {
  await one.post(`/api/follow/${two.id}`)
  await two.post(`/api/follow/${one.id}`)
}

/** The id of a new group that an admin made and added others to. */
export async function groupOf(admin: Actor, name: string, ...others: readonly Member[]): Promise<number> {
  const { status, body } = await admin.post('/api/groups', { name })
  expect(status, JSON.stringify(body)).toBe(201)
  for (const { id } of others)
    expect((await admin.post(`/api/groups/${body.group.id}/add-user`, { user_id: id })).status).toBe(200)
  return body.group.id
}

/** From now on the group is not new to the member. */
export const openGroup = async (who: Actor, group: number) =>
  expect((await who.send('PUT', `/api/groups/${group}/read`, { last_read_id: 0 })).status).toBe(200)

/** The address of the next page, null on the last. */
export const nextOf = ({ headers }: { headers: Record<string, unknown> }) =>
  /^<(.+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1] ?? null

/** All pages of a list, as its links lead to them. */
export async function pagesOf<T = Message>(who: Actor, path: string): Promise<T[][]> {
  const pages: T[][] = []
  for (let next: string | null = path; next !== null; ) {
    const answer = await who.get(next)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    pages.push(answer.body)
    expect(pages.length).toBeLessThan(200)
    next = nextOf(answer)
  }
  return pages
}

/** Keeps what is told to the channels from here on, in order. */
export function listenAs({ context }: Pick<TestApp, 'context'>) {
  const send = vi.spyOn(context.realtime, 'broadcast')
  const heard = (event?: string) =>
    send.mock.calls
      .filter((call) => event === undefined || call[1] === event)
      .map(([to, name, data]) => ({ to: [...to], event: name, data: JSON.parse(JSON.stringify(data)) }))
  return { heard, forget: () => send.mockClear() }
}

export const userChannels = (...people: readonly Member[]) => people.map(({ id }) => `presence-user.${id}`)

/** The files of all pictures that are kept. */
export const kept = ({ folder }: Pick<TestApp, 'folder'>) => readdir(join(folder, 'media'))

import { beforeEach, describe, expect, test } from 'vitest'
import type { GroupChange } from '../contract.ts'
import {
  chatState,
  countArrival,
  type ListedConversation,
  newestFirst,
  setGroupChange,
  setLastMessage,
  setList,
  setUnread,
  unreadOf,
  watchConversation,
} from '../web/chat-state.ts'

const last = (id: number, message = `message ${id}`) => ({
  id,
  user_id: 1,
  name: 'Ann',
  message,
  images_count: 0,
  deleted_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
})
const listed = (kind: 'private' | 'groups', id: number, lastId: number): ListedConversation => ({
  kind,
  id,
  name: `${kind} ${id}`,
  person: null,
  membersCount: 3,
  last: lastId ? last(lastId) : null,
  added: null,
})
const idsOf = (kind: 'private' | 'groups') => chatState.get().lists[kind]?.map(({ id }) => id)

beforeEach(() => {
  chatState.set({ lists: {}, unread: { private: {}, groups: {} } })
  watchConversation(null)
})

describe('lists', () => {
  beforeEach(() =>
    setList('private', [listed('private', 1, 10), listed('private', 2, 5), listed('private', 3, 0)]),
  )

  test('a new message brings its conversation to the top, an edited last message leaves it in its place', () => {
    expect(setLastMessage({ kind: 'private', id: 3 }, last(11))).toBe(true)
    expect(idsOf('private')).toEqual([3, 1, 2])
    setLastMessage({ kind: 'private', id: 1 }, last(10, 'edited'))
    expect(idsOf('private')).toEqual([3, 1, 2])
    expect(chatState.get().lists.private?.[1]?.last?.message).toBe('edited')
  })

  test('a group that I was added to is before conversations with older messages', () => {
    const at = '2026-01-01T00:00:00.001Z'
    const club = { ...listed('groups', 1, 0), added: { at, by: null } }
    const choir = { ...listed('groups', 2, 11), added: { at: '2025-01-01T00:00:00.000Z', by: null } }
    const rows = [listed('private', 1, 10), choir, club, listed('private', 2, 12)]
    expect(rows.sort(newestFirst).map(({ name }) => name)).toEqual([
      'groups 1',
      'private 2',
      'groups 2',
      'private 1',
    ])
  })

  test('a change of an older message changes nothing', () => {
    const before = chatState.get().lists.private
    expect(setLastMessage({ kind: 'private', id: 1 }, last(9, 'edited'))).toBe(true)
    expect(chatState.get().lists.private).toEqual(before)
  })

  test('a conversation that is not in its list, and a list that is not loaded, have to be loaded', () => {
    expect(setLastMessage({ kind: 'private', id: 4 }, last(11))).toBe(false)
    expect(setLastMessage({ kind: 'groups', id: 1 }, last(11))).toBe(false)
    expect(chatState.get().lists.groups).toBeUndefined()
  })

  test('a group is renamed, and counts its members', () => {
    setList('groups', [listed('groups', 1, 10), listed('groups', 2, 5)])
    const change = (kind: GroupChange['kind'], name: string | null = null) =>
      setGroupChange(2, { id: 1, kind, actor: null, person: null, name, created_at: '' })
    change('renamed', 'Choir')
    change('added')
    change('added')
    change('left')
    expect(chatState.get().lists.groups?.[1]).toMatchObject({ name: 'Choir', membersCount: 4 })
    expect(chatState.get().lists.groups?.[0]).toMatchObject({ name: 'groups 1', membersCount: 3 })
  })
})

describe('unread messages', () => {
  test('arrivals count by conversation, up to the number that the server counts to', () => {
    countArrival({ kind: 'private', id: 1 })
    countArrival({ kind: 'groups', id: 1 })
    countArrival({ kind: 'groups', id: 1 })
    expect(chatState.get().unread).toEqual({ private: { 1: 1 }, groups: { 1: 2 } })
    setUnread({ kind: 'groups', id: 1 }, 1000)
    countArrival({ kind: 'groups', id: 1 })
    expect(unreadOf({ kind: 'groups', id: 1 })).toBe(100)
  })

  test('what arrives in the conversation on the screen is not counted', () => {
    watchConversation({ kind: 'private', id: 1 })
    countArrival({ kind: 'private', id: 1 })
    countArrival({ kind: 'groups', id: 1 })
    expect(chatState.get().unread).toEqual({ private: {}, groups: { 1: 1 } })
  })
})

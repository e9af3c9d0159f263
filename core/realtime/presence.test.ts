import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PresenceTracker } from './presence.ts'

let announcements: unknown[][]
let presence: PresenceTracker
beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  announcements = []
  presence = new PresenceTracker({
    onJoin: (channel, user, info) => announcements.push(['joined', channel, user, info]),
    onLeave: (...args) => announcements.push(['left', ...args]),
  })
})

describe('a member of a presence channel', () => {
  test('that leaves is removed at once, and the other members are notified a little later', () => {
    presence.join('p', 'club', 'ann', {})
    presence.leave('p', 'club', 'ann')
    expect(presence.idsOf('club')).toEqual([])
    expect(presence.membersOf('club')).toHaveLength(1)
    expect(announcements).toEqual([['joined', 'club', 'ann', {}]])
    vi.runAllTimers()
    expect(announcements.at(-1)).toEqual(['left', 'club', 'ann'])
    expect(presence.membersOf('club')).toEqual([])
  })

  test('that comes back within this time has not left, for other processes either', () => {
    presence.join('p', 'club', 'ann', {})
    for (let n = 0; n < 100; n++) {
      presence.leave(n % 2 ? 'q' : 'p', 'club', 'ann')
      presence.join(n % 2 ? 'p' : 'q', 'club', 'ann', {})
    }
    vi.runAllTimers()
    expect(announcements).toEqual([['joined', 'club', 'ann', {}]])
    expect(presence.idsOf('club')).toEqual(['ann'])
  })

  test('that comes back with another name is announced with that name', () => {
    presence.join('p', 'club', 'ann', { name: 'Ann' })
    presence.leave('p', 'club', 'ann')
    presence.join('p', 'club', 'ann', { name: 'Anna' })
    vi.runAllTimers()
    expect(announcements.slice(1)).toEqual([
      ['left', 'club', 'ann'],
      ['joined', 'club', 'ann', { name: 'Anna' }],
    ])
    expect(presence.membersOf('club')).toMatchObject([{ id: 'ann', info: { name: 'Anna' } }])
  })

  test('with a numeric id is the same as with the id as text', () => {
    presence.join('p', 'club', 7, {})
    presence.join('q', 'club', '7', {})
    expect(presence.idsOf('club')).toEqual([7])
  })

  test('that was there before this process received the list is not announced as new', () => {
    const isNew: boolean[] = []
    const later = new PresenceTracker({ onJoin: (_, __, ___, given) => isNew.push(given), onLeave: () => {} })
    later.replace('p', [['club', 'ann', {}]])
    later.join('p', 'club', 'ben', {})
    expect(isNew).toEqual([false, true])
  })

  test('is removed when their process ends', () => {
    presence.join('p', 'club', 'ann', {})
    presence.join('q', 'club', 'ben', {})
    presence.replace('p', [])
    vi.runAllTimers()
    expect(announcements.at(-1)).toEqual(['left', 'club', 'ann'])
    expect(presence.idsOf('club')).toEqual(['ben'])
  })
})

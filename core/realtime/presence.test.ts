import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Presence } from './presence.ts'

let told: unknown[][]
let presence: Presence
beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  told = []
  presence = new Presence({
    onJoin: (channel, user, info) => told.push(['joined', channel, user, info]),
    onLeave: (...args) => told.push(['left', ...args]),
  })
})

describe('a member of a presence channel', () => {
  test('who leaves is gone at once, and the others are told a little later', () => {
    presence.join('p', 'club', 'ann', {})
    presence.leave('p', 'club', 'ann')
    expect(presence.idsOf('club')).toEqual([])
    expect(presence.membersOf('club')).toHaveLength(1)
    expect(told).toEqual([['joined', 'club', 'ann', {}]])
    vi.runAllTimers()
    expect(told.at(-1)).toEqual(['left', 'club', 'ann'])
    expect(presence.membersOf('club')).toEqual([])
  })

  test('who is back by then has not left, in another process either', () => {
    presence.join('p', 'club', 'ann', {})
    for (let n = 0; n < 100; n++) {
      presence.leave(n % 2 ? 'q' : 'p', 'club', 'ann')
      presence.join(n % 2 ? 'p' : 'q', 'club', 'ann', {})
    }
    vi.runAllTimers()
    expect(told).toEqual([['joined', 'club', 'ann', {}]])
    expect(presence.idsOf('club')).toEqual(['ann'])
  })

  test('who is back by another name is announced by it', () => {
    presence.join('p', 'club', 'ann', { name: 'Ann' })
    presence.leave('p', 'club', 'ann')
    presence.join('p', 'club', 'ann', { name: 'Anna' })
    vi.runAllTimers()
    expect(told.slice(1)).toEqual([
      ['left', 'club', 'ann'],
      ['joined', 'club', 'ann', { name: 'Anna' }],
    ])
    expect(presence.membersOf('club')).toMatchObject([{ id: 'ann', info: { name: 'Anna' } }])
  })

  test('is the same by a number and by its text', () => {
    presence.join('p', 'club', 7, {})
    presence.join('q', 'club', '7', {})
    expect(presence.idsOf('club')).toEqual([7])
  })

  test('who was there before this process knew of them is not new', () => {
    const isNew: boolean[] = []
    const later = new Presence({ onJoin: (_, __, ___, given) => isNew.push(given), onLeave: () => {} })
    later.replace('p', [['club', 'ann', {}]])
    later.join('p', 'club', 'ben', {})
    expect(isNew).toEqual([false, true])
  })

  test('goes with their process', () => {
    presence.join('p', 'club', 'ann', {})
    presence.join('q', 'club', 'ben', {})
    presence.replace('p', [])
    vi.runAllTimers()
    expect(told.at(-1)).toEqual(['left', 'club', 'ann'])
    expect(presence.idsOf('club')).toEqual(['ben'])
  })
})

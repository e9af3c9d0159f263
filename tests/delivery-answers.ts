import type { Page } from '@playwright/test'
import { fakeAnswer } from './page-answers.ts'

// Example responses of the API about the deliveries of notifications, with every kind of delivery step. The
// screenshots and the tests of all pages show them.

const at = '2026-11-20T09:00:00.000Z'
const until = '2026-11-20T22:00:00.000Z'
const device = 'Firefox · Linux'
const ben = { id: 2, name: 'Wolfeschlegelsteinhausenbergerdorffson', profile_image: null }
const aya = { id: 1, name: '森田 あや', profile_image: null }

const step = (channel: string, outcome: string, more: object = {}) => ({
  ...{ channel, outcome, reason: null, until: null, windows: null, device: null, at: null },
  ...more,
})
const stored = step('app', 'stored', { at })
const message = { kind: 'message', created_at: at, is_read: true }
const push = (outcome: string, more: object = {}) => step('push', outcome, { at, device, ...more })

const deliveries = [
  {
    ...message,
    ...{ id: 9, from: ben, group: null, text: 'Are you coming? https://example.org/a-very-long-address' },
    steps: [
      stored,
      step('live', 'shown', { windows: 2, at }),
      push('accepted'),
      push('dropped', { reason: 'read', device: 'Safari · iPhone' }),
      step('mail', 'none', { reason: 'not_away' }),
    ],
  },
  {
    ...message,
    ...{ id: 8, from: aya, group: { id: 3, name: '陶芸クラブ' }, text: '窯は土曜日に開けます。' },
    steps: [
      stored,
      step('live', 'no_window', { at }),
      push('held', { until }),
      push('delayed', { reason: '429', until }),
      push('refused', { reason: '400' }),
      push('gone', { reason: '410' }),
      step('mail', 'queued', { at }),
      step('mail', 'deferred', { reason: 'quiet_hours', at, until }),
      step('mail', 'sent', { at }),
    ],
  },
  {
    kind: 'notification',
    ...{ id: 4, created_at: at, is_read: false },
    notification: {
      ...{ id: 4, kind: 'like', people: [aya, ben], people_count: 5, last_event_id: 12, updated_at: at },
      ...{ post: { id: 1, body: 'Rhubarb', is_own: true }, is_read: false },
    },
    steps: [
      stored,
      step('live', 'unknown'),
      step('push', 'no_device'),
      step('mail', 'none', { reason: 'switched_off' }),
    ],
  },
]

const none = { day: 0, week: 0 }
const many = { day: 1234, week: 12345 }
const health = {
  channels: ['live', 'push', 'mail'].map((channel) => ({
    ...{ channel, last_success_at: channel === 'mail' ? null : at, accepted: many, refused: none },
    ...{ delayed: { day: 3, week: 12 }, waiting: channel === 'push' ? 7 : 0 },
    oldest_waiting_at: channel === 'push' ? at : null,
  })),
  push_providers: [
    {
      ...{ host: 'updates.push.services.example', last_success_at: at, accepted: many, paused_until: null },
      failures: [{ reason: '410', day: 1, week: 9 }],
    },
    {
      ...{ host: 'a-very-long-name-of-a-push-service-in-a-far-away-country.example', accepted: none },
      ...{ last_success_at: null, paused_until: until },
      failures: [
        { reason: 'timeout', day: 3, week: 3 },
        { reason: 'paused', day: 40, week: 40 },
      ],
    },
  ],
}

/** Fakes the response about deliveries with examples, and reloads the page of deliveries. */
export const fakeDeliveries = (page: Page) => fakeAnswer('/api/deliveries', deliveries)(page)

/**
 * Fakes the response about the health of delivery channels and push services with an example, and reloads the
 * health page of admins.
 */
export const fakeHealth = (page: Page) => fakeAnswer('/api/admin/deliveries', health)(page)

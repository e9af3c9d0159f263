import type { Page } from '@playwright/test'

// Example responses to the API calls that the page of reports makes. The screenshots and the tests of all
// pages use them.

const at = '2026-11-20T09:00:00.000Z'
const ben = { id: 2, name: 'Wolfeschlegelsteinhausenbergerdorffson', profile_image: null }
const aya = { id: 1, name: '森田 あや', profile_image: null }
const note = 'Please stay friendly, also if you are angry. https://example.org/rules'

const cases = [
  { id: 3, kind: 'message', subject_id: 9, chat: 'private', author: ben, reports_count: 1 },
  { id: 2, kind: 'post', subject_id: 7, chat: null, author: aya, reports_count: 3 },
].map((row) => ({ ...row, created_at: at, closed_at: null, outcome: null }))

const evidence = ['Are you coming?', 'No, and you are an idiot.', '…'].map((text, index) => {
  const is_reported = index === 1
  return { user: is_reported ? ben : aya, text, images_count: index, created_at: at, is_reported }
})

const image = { id: 1, width: 512, height: 512, alt: null, path: '/icon-512.png', full: '/icon-512.png' }
const details = {
  ...cases[0],
  images: [
    { ...image, srcset: '/icon-512.png 512w', placeholder: '3OcRJYB4d3h/iIeHeEh3eIhw+j3A', animated: false },
  ],
  reports: [{ reporter: aya, reason: 'insult', note: 'This is the third time.', created_at: at }],
  decisions: [{ moderator: aya, action: 'hide', note, created_at: at }],
  evidence,
  reading: 'open',
  openings: [
    { moderator: aya, is_alone: false, created_at: at },
    { moderator: ben, is_alone: true, created_at: at },
  ],
}
const notices = [
  { id: 1, action: 'hide', kind: 'post', excerpt: 'No, and you are an idiot.', note, created_at: at },
]
const reports = [
  { id: 2, kind: 'message', reason: 'insult', note: 'Twice already.', created_at: at, state: 'open' },
  { id: 1, kind: 'member', reason: 'spam', note: null, created_at: at, state: 'acted' },
]

const answers: readonly (readonly [string, unknown])[] = [
  ['**/api/moderation/cases?*', cases],
  ['**/api/moderation/cases/*', details],
  ['**/api/account/notices', notices],
  ['**/api/reports', reports],
  ['**/api/moderators', [aya, ben]],
]

/**
 * Fakes the responses of the endpoints for reports in this page with the examples. Reloads the page, which
 * must be /moderation.
 */
export async function fakeReports(page: Page) {
  for (const [url, json] of answers) await page.route(url, (route) => route.fulfill({ json: json as object }))
  await page.reload()
  await page.locator('.moderation-item').first().waitFor()
}

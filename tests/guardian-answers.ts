import type { Page } from '@playwright/test'

// Example responses of the endpoints for guardians and for children. Screenshots and the tests of all pages
// show them instead of the responses of the server.

const at = '2026-11-20T09:00:00.000Z'
const mum = { id: 4, name: '森田 あや', profile_image: null }
const ben = { id: 2, name: 'Wolfeschlegelsteinhausenbergerdorffson', profile_image: null }
const kid = { id: 3, name: '森田 はる', profile_image: null }
const child = { ...kid, ends_on: '2031-04-01', guardians: [mum, ben] }
const request = { child: kid, person: ben, asked_by: 'person', asked_at: at }
const contact = {
  person: ben,
  state: 'requested',
  in_group: true,
  asked_by: 'person',
  asked_at: at,
  decided_by: null,
  decided_at: null,
  child_follows: false,
  follows_child: false,
  last_message_at: null,
}
const contacts = [
  contact,
  { ...contact, person: mum, state: null, asked_by: null, asked_at: null, child_follows: true },
  { ...contact, state: 'allowed', decided_by: mum, decided_at: at, last_message_at: at, follows_child: true },
  { ...contact, state: 'allowed', asked_by: null, child_follows: true },
].map((row, index) => ({ ...row, person: { ...row.person, id: index + 1 } }))
const attempts = [
  { person: contact.person, by: 'person', kind: 'mention', count: 12, last_at: at },
  { person: mum, by: 'child', kind: 'follow', count: 1, last_at: at },
]
const notices = [
  { id: 3, kind: 'group_added', text: '4年2組', ends_at: null, created_at: at },
  { id: 2, kind: 'suspended', text: 'Because of the rules', ends_at: at, created_at: at },
  {
    id: 1,
    kind: 'warned',
    text: 'Please stay friendly, also if you are angry.',
    ends_at: null,
    created_at: at,
  },
]

const answers: readonly (readonly [string, unknown])[] = [
  ['**/api/account/guardians', { ends_on: child.ends_on, guardians: child.guardians }],
  ['**/api/guardian/children', [child]],
  ['**/api/guardian/requests', [request, { ...request, person: mum, asked_by: 'child' }]],
  ['**/api/guardian/children/*/contacts*', contacts],
  ['**/api/guardian/children/*/groups*', [{ id: 1, name: '4年2組' }]],
  ['**/api/guardian/children/*/attempts*', attempts],
  ['**/api/guardian/children/*/notices*', notices],
]

/**
 * Fakes the responses of the endpoints for guardians in this page with the examples, reloads the page, and
 * waits until the element that `selector` finds is visible.
 */
async function showWithAnswers(page: Page, selector: string) {
  for (const [url, json] of answers) await page.route(url, (route) => route.fulfill({ json: json as object }))
  await page.route('**/api/guardian/seen', (route) => route.fulfill({ status: 204 }))
  await page.reload()
  await page.locator(selector).first().waitFor()
}

export const fakeGuardianPage = async (page: Page) => {
  await showWithAnswers(page, '.guardian-groups')
  await page.locator('.guardian-note').first().waitFor()
}

export const fakeGuardians = (page: Page) => showWithAnswers(page, '.account-section a[href="/guardian"]')

import type { Page } from '@playwright/test'
import type { Scheduled } from '#features/scheduled/contract.ts'
import { opens, type PageTestCase, steps } from './all-pages-actions.ts'

const shared = { due_at: '2030-03-05T07:00:00.000Z', images: [], files: [], extras: [] }
const waiting: readonly Scheduled[] = [
  {
    ...shared,
    ...{ id: 1, kind: 'post', audience: 'group', group: null, extras: ['poll', 'tell'] },
    text: 'There is no practice on Tuesday, because the hall is being repaired.\n\nBring your music next week.',
    reason: 'You are not in this group.',
  },
  { ...shared, id: 2, kind: 'person', person: null, text: 'x'.repeat(200) },
  {
    ...shared,
    ...{
      id: 3,
      kind: 'group',
      group: { id: 1, name: '町内会' },
      text: null,
      files: ['Plan of the hall.pdf'],
    },
  },
]

async function showsScheduled(page: Page) {
  await page.route('**/api/scheduled', (route) => route.fulfill({ json: waiting }))
  await page.reload()
  await page.locator('.scheduled').nth(2).waitFor()
}

/** The test cases about what is sent later. */
export const scheduledCases: readonly PageTestCase[] = [
  { name: 'what is sent later, empty', path: '/scheduled', who: 'newcomer' },
  { name: 'what is sent later, loading', path: '/scheduled', who: 'ben', answers: 'held' },
  { name: 'what is sent later, failed', path: '/scheduled', who: 'ben', answers: 'failed' },
  { name: 'what is sent later, for visitors', path: '/scheduled', who: 'visitor' },
  { name: 'what is sent later', path: '/scheduled', who: 'ben', act: showsScheduled },
  {
    name: 'what is sent later, changing it',
    path: '/scheduled',
    who: 'ben',
    act: steps(showsScheduled, opens('.scheduled .button')),
  },
  {
    name: 'a new post, with a time',
    path: '/post',
    who: 'newcomer',
    act: steps((page) => page.locator('main textarea').fill('Tomorrow'), opens('.send-later')),
  },
]

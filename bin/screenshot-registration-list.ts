import type { Page } from '@playwright/test'

// This module lists the screenshots of the registration, and of requests to join.
// bin/screenshot-visitor-list.ts and bin/screenshot-admin-list.ts include them.

/**
 * Returns a Playwright step that opens the registration page from the log-in page. Fakes the responses to the
 * page's requests for /api/registration with `state`.
 */
const openRegistration = (state: object) => async (page: Page) => {
  await page.route('**/api/registration', (route) => route.fulfill({ json: state }))
  await page.locator('main a[href="/register"]').first().click()
  await page.locator('main .form-card').waitFor()
}

const visitor = { path: '/login', who: 'visitor' } as const

export const registrationShots = [
  { ...visitor, name: 'register', path: '/register' },
  { ...visitor, name: 'register-closed', act: openRegistration({ who_can_join: 'closed' }) },
  { ...visitor, name: 'register-invitation', act: openRegistration({ who_can_join: 'invitation' }) },
  {
    ...visitor,
    name: 'register-approval',
    act: openRegistration({ who_can_join: 'approval', join_question: null }),
  },
  {
    ...visitor,
    name: 'register-code',
    path: '/register',
    act: (page: Page) => page.locator('main button.link').click(),
  },
  {
    ...visitor,
    name: 'register-waiting',
    act: async (page: Page) => {
      await page.route('**/api/join-requests/state', (route) => route.fulfill({ json: { state: 'waiting' } }))
      await page.goto('/register#request=x')
      await page.locator('main .form-card').waitFor()
    },
  },
] as const

export const joinRequestsShot = {
  name: 'admin-requests',
  path: '/admin/new-members',
  who: 'aya',
  act: async (page: Page) => {
    const entered_at = new Date().toISOString()
    const requests = [
      { name: '森田 さくら', is_verified: true, answer: '陶芸クラブの森田です。\n娘と一緒に通っています。' },
      { name: 'Daniel Okafor', is_verified: false, answer: 'I live next door. Ben told me about it.' },
    ].map((request, id) => ({
      id,
      email: `person${id}@engawa.example`,
      question: null,
      entered_at,
      ...request,
    }))
    await page.route('**/api/admin/join-requests*', (route) => route.fulfill({ json: requests }))
    await page.reload()
    await page.locator('.join-request-answer').nth(1).waitFor()
  },
} as const

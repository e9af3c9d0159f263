import type { Page } from '@playwright/test'
import { invalidFields, type PageTestCase, steps, submitForm } from './all-pages-actions.ts'
import { expect } from './fixture.ts'

/**
 * Returns a step that fakes the response of /api/registration with `state`, and then opens the registration
 * page by the link on the log-in page.
 */
const openRegistration = (state: object) => async (page: Page) => {
  await page.route('**/api/registration', (route) => route.fulfill({ json: state }))
  const link = page.locator('main a[href="/register"]')
  await link.click()
  // Waits until the log-in page with this link is gone. The log-in page also has a form, and stays until the
  // registration page is loaded.
  await expect(link).toHaveCount(0)
  await expect(page.locator('main .form-card')).toBeVisible()
}

const byApproval = { who_can_join: 'approval', join_question: 'どの教室に通っていますか？' }

/**
 * Returns a step that fakes the state of a visitor's request to join the community, and opens the page that
 * shows this state.
 */
const showJoinRequest = (state: object) => async (page: Page) => {
  await page.route('**/api/join-requests/state', (route) => route.fulfill({ json: state }))
  await page.goto('/register#request=x')
  await expect(page.locator('main .form-card')).toBeVisible()
}

/** The test cases for the registration page and for a visitor's request to join, in all their states. */
export const registrationCases: readonly PageTestCase[] = [
  { name: 'the registration', path: '/register', who: 'visitor' },
  {
    name: 'the registration, closed',
    path: '/login',
    who: 'visitor',
    act: openRegistration({ who_can_join: 'closed' }),
  },
  {
    name: 'the registration by invitation',
    path: '/login',
    who: 'visitor',
    act: openRegistration({ who_can_join: 'invitation' }),
  },
  {
    name: 'the registration by invitation, invalid code',
    path: '/login',
    who: 'visitor',
    act: steps(
      openRegistration({ who_can_join: 'invitation' }),
      (page) => page.locator('input[name=invitation]').fill('0000-0000'),
      submitForm,
      (page) => invalidFields(page).waitFor(),
    ),
  },
  {
    name: 'the registration by approval, invalid',
    path: '/login',
    who: 'visitor',
    act: steps(openRegistration(byApproval), submitForm, (page) => invalidFields(page).first().waitFor()),
  },
  {
    name: 'the registration, with a code on paper',
    path: '/register',
    who: 'visitor',
    act: async (page) => {
      await page.locator('main button.link').click()
      await page.locator('input[name=invitation]').waitFor()
    },
  },
  ...(['unverified', 'waiting', 'approved', 'refused', 'ended'] as const).map(
    (state): PageTestCase => ({
      name: `a request to join, ${state}`,
      path: '/login',
      who: 'visitor',
      act: showJoinRequest({ state }),
    }),
  ),
  { name: 'a request to join, loading', path: '/register#request=x', who: 'visitor', answers: 'held' },
  { name: 'a request to join, not loaded', path: '/register#request=x', who: 'visitor', answers: 'failed' },
  { name: 'the link of a mail about a request to join', path: '/register#verify=x', who: 'visitor' },
  {
    name: 'the link of a mail about a request to join, invalid',
    path: '/register#verify=x',
    who: 'visitor',
    act: async (page) => {
      await page.locator('main .form-card .primary').click()
      await page.locator('.notice.error').waitFor()
    },
  },
  {
    name: 'the registration, invalid invitation',
    path: '/register#0000',
    who: 'visitor',
    act: (page) => page.locator('.notice.error').waitFor(),
  },
  { name: 'the registration, loading', path: '/register', who: 'visitor', answers: 'held' },
  { name: 'the registration, not loaded', path: '/register', who: 'visitor', answers: 'failed' },
  {
    name: 'the registration, invalid',
    path: '/register',
    who: 'visitor',
    act: steps(submitForm, (page) => invalidFields(page).first().waitFor()),
  },
]

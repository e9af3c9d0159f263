import { fakeMembersOnly, fakeSetup } from '#tests/page-answers.ts'
import { clickStep, menuStep, type ScreenshotDefinition } from './screenshot-actions.ts'
import { showDeviceLink, showWelcomePage } from './screenshot-member-steps.ts'
import { registrationShots } from './screenshot-registration-list.ts'

/**
 * The definitions of the screenshots of the pages that people without an account see, and of the set-up of a
 * new server.
 */
export const visitorShots: readonly ScreenshotDefinition[] = [
  { name: 'visitor', path: '/', who: 'visitor' },
  {
    name: 'visitor-menu',
    path: '/',
    who: 'visitor',
    act: menuStep('.nav-links button'),
    from: 720,
  },
  { name: 'visitor-asked', path: '/followingpostlist', who: 'visitor' },
  ...registrationShots,
  {
    name: 'register-failed',
    path: '/register',
    who: 'visitor',
    act: clickStep('main form button[type=submit]'),
  },
  { name: 'setup', path: '/setup', who: 'visitor' },
  { name: 'setup-end', path: '/setup', who: 'aya', act: fakeSetup },
  { name: 'login', path: '/login', who: 'visitor' },
  { name: 'login-members-only', path: '/login', who: 'visitor', act: fakeMembersOnly },
  {
    name: 'login-failed',
    path: '/login',
    who: 'visitor',
    act: async (page) => {
      await page.locator('input[name=email]').fill('ben@engawa.example')
      await page.locator('input[type=password]').fill('not this one')
      await page.locator('main form button[type=submit]').click()
      await page.getByText(/Login failed\.|ログインできませんでした。/).waitFor()
    },
  },
  { name: 'welcome', path: '/welcome', who: 'visitor' },
  {
    name: 'welcome-card',
    path: '/welcome#4kq7',
    who: 'visitor',
    act: showWelcomePage,
  },
  { name: 'device-log-in', path: '/device-log-in', who: 'visitor' },
  {
    name: 'device-log-in-link',
    path: '/device-log-in#4kq7',
    who: 'visitor',
    act: showDeviceLink,
  },
  { name: 'reset-password', path: '/reset-password', who: 'visitor' },
  { name: 'reset-password-link', path: '/reset-password#x', who: 'visitor' },
  { name: 'verify-failed', path: '/email/verify/1/x', who: 'visitor' },
  { name: 'not-found', path: '/nowhere', who: 'visitor' },
]

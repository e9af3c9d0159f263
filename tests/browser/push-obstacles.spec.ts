import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixture.ts'
import { chromiumOptions, chromiumPath } from './full-chromium.ts'

// These tests replace `PushManager` in the page, because the push service of Chromium is on the internet.

test.use(chromiumOptions)
test.skip(!chromiumPath, 'The headless shell has no permission for notifications.')

/**
 * Makes the push service of the browser silent: a request for a subscription gets no answer until the page
 * calls `window.answerOfPushService`, which makes it fail.
 */
const silencePushService = (page: Page) =>
  page.addInitScript(() => {
    const answer = new Promise((_, reject) => Object.assign(window, { answerOfPushService: reject }))
    Object.assign(PushManager.prototype, { getSubscription: async () => null, subscribe: () => answer })
  })

test('a push service that does not answer ends the wait with a message', async ({ member }) => {
  const { page } = await member('Ann')
  await page.context().grantPermissions(['notifications'])
  await silencePushService(page)
  await page.clock.install()
  await page.goto('/account')
  const section = page.locator('#push')
  await section.getByRole('button', { name: 'Set up notifications' }).click()
  const turnOn = section.getByRole('button', { name: 'Turn on notifications' })
  await turnOn.click()
  await expect(turnOn).toHaveAttribute('aria-busy', 'true')
  await expect(section.getByRole('status')).toHaveText('Waiting for the browser …')
  // The clock runs on otherwise: the wait may end, and its message disappear, before the next step.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  const message = page.getByText('The push service of this browser does not answer.')
  await page.clock.runFor(10_000)
  await expect(message).toHaveCount(0)
  await page.clock.runFor(10_500)
  await expect(message).toBeVisible()
  await expect(turnOn).not.toHaveAttribute('aria-busy')
  await expect(section.getByRole('status')).toBeEmpty()
  await page.clock.resume()
  await expectAccessible(page)

  // Expects that the member can try again, and that an error from the push service also ends the wait.
  await turnOn.click()
  await expect(turnOn).toHaveAttribute('aria-busy', 'true')
  await page.evaluate(() =>
    (window as unknown as { answerOfPushService(error: Error): void }).answerOfPushService(
      new Error('push service error'),
    ),
  )
  await expect(page.getByText('This browser could not reach its push service.')).toBeVisible()
  await expect(turnOn).not.toHaveAttribute('aria-busy')
})

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { cheapHashes, startServer } from '#tests/server.ts'
import { accountSection } from './account-helpers.ts'
import { expect, fetchJson, PASSWORD, registerMember, test, writePost } from './fixture.ts'

// Tests of the dialog that asks for the password when the last log-in was more than ten minutes ago.

const press = (name: string) => (page: Page) =>
  page.locator('main').getByRole('button', { name, exact: true }).first().click()
const pressOfSection = (section: string, name: string) => (page: Page) =>
  accountSection(page, section).getByRole('button', { name }).click()
const fillAndSend = (label: string, text: string) => async (page: Page) => {
  await page.getByLabel(label).fill(text)
  await page.keyboard.press('Enter')
}
const chooseOfBen = (item: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'More about Ben' }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: item }).click()
  await page.locator('dialog:modal').getByRole('button').last().click()
}

/** What an admin and guardian does on each page that needs a confirmation, in this order. */
const actions: readonly (readonly [path: string, act: (page: Page) => Promise<unknown>])[] = [
  ['/guardian', press('Allow Ben')],
  ['/admin/settings', fillAndSend('Name of the community', 'Potters')],
  ['/admin/settings', fillAndSend('Emoji for reactions', '👍 🎉 😂 😮 🍵')],
  ['/admin/settings', (page) => page.locator('form:has(input[type=time]) [type=submit]').click()],
  ['/admin/settings', (page) => page.getByLabel('People whom an admin approves').check()],
  ['/admin/settings', press('Save question')],
  ['/admin/new-members', press('Create')],
  [
    '/admin/new-members/list',
    async (page) => {
      await page.locator('main textarea').fill('Kim, kim')
      await page.locator('main form [type=submit]').click()
      await page.locator('.member-list-preview .primary').click()
    },
  ],
  ['/admin/users', chooseOfBen('Make admin…')],
  ['/admin/health', press('Test mail')],
  [
    '/moderation',
    async (page) => {
      await fillAndSend('Search by name', 'be')(page)
      await press('Choose Ben')(page)
      await press('Appoint')(page)
    },
  ],
  ['/moderation', press('Remove Ben from the moderators')],
  [
    '/moderation',
    async (page) => {
      await press('Details')(page)
      await page.getByLabel('Reason').fill('Nothing is wrong with it')
      await press('Decide')(page)
    },
  ],
  [
    '/account',
    async (page) => {
      await pressOfSection('Email address', 'Change address')(page)
      await fillAndSend('New email address', 'new@engawa.example')(page)
    },
  ],
  ['/account', pressOfSection('Second step', 'Set up')],
  ['/account', pressOfSection('Where you are logged in', 'Add a device')],
  ['/account', (page) => page.locator('.recovery-codes-section').getByRole('button').last().click()],
  [
    '/account',
    async (page) => {
      await press('Delete account…')(page)
      await fillAndSend('Type your handle', 'ann')(page)
    },
  ],
]

test('the Enter key in the dialog confirms the action of each page, and sends no other form', async ({
  browser,
}) => {
  test.setTimeout(240_000)
  const server = await startServer({ RATE_LIMIT: 'off', ...cheapHashes })
  const open = async (name: string) => {
    const page = await (await browser.newContext({ baseURL: server.url, locale: 'en-GB' })).newPage()
    return { page, id: await registerMember(page, name, `${name}@engawa.example`) }
  }
  const { page } = await open('Ann')
  page.setDefaultTimeout(10_000)
  const ben = await open('Ben')
  const cho = await open('Cho')
  const { post } = await writePost(ben.page, 'A post')
  const report = { kind: 'post', id: post.id, reason: 'other', note: 'Look at it' }
  await fetchJson(cho.page, 'POST', '/api/reports', report)
  const mark = { guardians: ['ann'], ends_on: `${new Date().getFullYear() + 5}-01-01` }
  await fetchJson(ben.page, 'POST', `/api/follow/${cho.id}`)
  await fetchJson(page, 'PUT', `/api/admin/users/${cho.id}/child`, mark)
  const contact = `/api/guardian/children/${cho.id}/contacts/${ben.id}`
  const refusal = { state: 'refused', known_state: 'allowed' }
  await fetchJson(page, 'PUT', contact, refusal)
  const database = new DatabaseSync(join(server.folder, 'engawa.db'))

  for (const [index, [path, act]] of actions.entries())
    await test.step(`${index}: ${path}`, async () => {
      await page.goto(path)
      database.exec("update sessions set confirmed_at = '2020-01-01T00:00:00.000Z'")
      await act(page)
      const dialog = page.locator('dialog:modal').filter({ has: page.locator('.confirmation') })
      await dialog.getByLabel('Password').fill(PASSWORD)
      const done = page.waitForResponse(
        (response) =>
          response.status() !== 423 &&
          response.request().method() !== 'GET' &&
          !/confirm$|broadcast|auth$/.test(response.url()),
      )
      await page.keyboard.press('Enter')
      await expect(dialog).toHaveCount(0)
      expect(page.url()).toBe(server.url + path)
      await done
    })
  database.close()
  for (const one of [page, ben.page, cho.page]) await one.context().close()
  await server.stop()
})

test('the browser sends no form by itself, so no password gets into the address', async ({
  browser,
  server,
}) => {
  // A page of its own, because the browser reports the refusal in the console.
  const page = await (await browser.newContext({ baseURL: server.url })).newPage()
  await page.goto('/login')
  const directive = await page.evaluate(async () => {
    const form = document.body.appendChild(document.createElement('form'))
    form.innerHTML = '<input name="password" value="secret">'
    const refused = new Promise<SecurityPolicyViolationEvent>((resolve) =>
      addEventListener('securitypolicyviolation', resolve, { once: true }),
    )
    form.submit()
    return (await refused).effectiveDirective
  })
  expect(directive).toBe('form-action')
  expect(page.url()).toBe(`${server.url}/login`)
  await page.context().close()
})

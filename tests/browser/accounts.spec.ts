import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { startServer } from '#tests/server.ts'
import { expectInvitation } from './account-helpers.ts'
import { expect, fetchJson, PASSWORD, pictureFile, registerMember, test } from './fixture.ts'

// spec: 1.1, 2.9, 5.3
test('signing up: the strength of the password, the first error of each field, the message in green, the link of the mail', async ({
  page,
  server,
  grantAdmin,
}) => {
  await page.context().addCookies([{ name: 'lang', value: 'ja', url: server.url }])
  await page.goto('/register')
  await page.getByLabel('パスワード').fill('うま')
  await expect(page.getByText('あと6文字必要です（8文字以上）。')).toBeVisible()
  await expect(page.getByRole('button', { name: '表示', exact: true })).toBeVisible()
  await page.getByRole('contentinfo').getByText('English').click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign Up')
  const password = page.getByLabel('Password')
  const show = page.getByRole('button', { name: 'Show', exact: true })
  await expect(password).toHaveAttribute('type', 'password')
  for (const [typed, said] of [
    ['horse', 'At least 8 characters: 3 more needed.'],
    ['12121212', 'Easy to guess'],
    ['20261122', 'Easy to guess'],
    ['horse-kiln', 'Long enough.'],
    ['horse kiln bread', 'Hard to guess'],
  ] as const) {
    await password.fill(typed)
    await expect(password).toHaveAccessibleDescription(new RegExp(`^${said}`))
  }
  await show.press('Enter')
  await expect(show).toHaveAttribute('aria-pressed', 'true')
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue('horse kiln bread')
  await show.click()
  await expect(password).toHaveAttribute('type', 'password')

  const email = 'ann.signs.up@engawa.example'
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann@')
  await password.fill('short')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('The email field must be a valid email address.')).toBeVisible()
  await expect(page.getByText('The password field must be at least 8 characters.')).toBeVisible()
  await expect(page.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Email address').fill(email)
  await password.fill(PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.locator('.notice.success')).toContainText('Registration successful.')
  await expect(page.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()

  // Without a mail server, an admin has the link of the mail, also for themselves.
  await page.goto('/dashboard')
  await expect(page.getByText(`${email} is not verified yet. Please ask an admin for the link`)).toBeVisible()
  await expect(page.getByText('Authentication failed.')).toHaveCount(0)
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(page.getByRole('article').or(page.getByText('No posts yet')).first()).toBeVisible()
  await expect(page.locator('.verify-notice'), 'no demand where no mail can be sent').toHaveCount(0)
  expect((await fetchJson(page, 'POST', '/api/email/verification-notification')).message).toMatch(
    /ask an admin/,
  )
  const readUser = async () => (await page.request.get('/api/user')).json()
  await grantAdmin((await readUser()).id)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'User list' }).click()
  await expect(page).toHaveURL('/admin/users')

  // Does not check the message that the page shows after the verification, for one second only.
  // spec-texts.spec.ts checks this message with a stopped clock.
  await page.goto(await mailedLink(server.folder, email))
  await expect(page).toHaveURL('/')
  expect((await readUser()).email_verified_at).toBeTruthy()
})

test('the set-up link of the first start makes the first admin, in both languages', async ({ page }) => {
  const fresh = await startServer({
    PORT: '38127',
    PUBLIC_URL: 'http://town.example',
    SETUP_CODE: 'open-sesame',
  })
  await expect.poll(fresh.logs).toContain('http://town.example/setup?code=open-sesame')
  await page.goto(`${fresh.url}/setup`)
  await expect(page.locator('.card')).toContainText('that the server writes to its log')
  await expect(page.locator('.card').getByRole('link', { name: 'Top' })).toBeVisible()
  await page.goto(`${fresh.url}/setup?code=wrong`)
  await expect(page.getByText('The set-up code in this link is not correct.')).toBeVisible()
  await expect(page.getByLabel('User name')).toHaveCount(0)
  await page.goto(`${fresh.url}/setup?code=open-sesame`)
  await expect(page.getByText('becomes the admin of this community.')).toBeVisible()
  await page.getByRole('contentinfo').getByText('日本語').click()
  await expect(page.getByText('このコミュニティーの管理者になります。')).toBeVisible()
  await page.getByRole('contentinfo').getByText('English').click()
  await expect(page.getByRole('radio', { name: 'People with an invitation' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Members only' })).toBeChecked()
  await page.getByLabel('Name of the community').fill('The allotments')
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann@engawa.example')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Choose a picture').setInputFiles(await pictureFile('us'))
  await page.getByRole('dialog').getByRole('button', { name: 'Crop' }).click()
  await expect(page.getByRole('img', { name: 'The picture of the community' })).toBeVisible()
  const samples = page.getByRole('navigation', { name: 'Samples' })
  await expect(samples).toBeVisible()
  await expect(page.getByLabel('Sample pages')).not.toBeChecked()
  await page.getByRole('button', { name: 'Create the community' }).click()
  await expect(page.locator('.notice.success')).toContainText('Registration successful.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome')
  await expect(page).toHaveTitle('Welcome – The allotments')
  await expect(page.getByText('becomes the admin of this community.')).toHaveCount(0)
  await expect(samples).toHaveCount(0)
  await expectInvitation(page)
  const { picture } = await (await page.request.get(`${fresh.url}/api/admin/settings`)).json()
  expect(picture).toMatch(/^http:\/\/town\.example\/media\//)
  await page.getByRole('link', { name: 'Continue to the community' }).click()
  await expect(page).toHaveURL(`${fresh.url}/`)
  expect((await (await page.request.get(`${fresh.url}/api/user`)).json()).is_admin).toBe(true)
  await page.goto(`${fresh.url}/setup?code=open-sesame`)
  await expect(page.getByText('This community already has an admin.')).toBeVisible()
  await expect(samples).toHaveCount(0)
  await page.goto('about:blank')
  await fresh.stop()
})

// spec: 2.16
test('a verification link that was changed is refused, and a member gets a link to the first page', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await page.goto('/email/verify/1/abc?expires=1&signature=2')
  await expect(page.getByText('Authentication failed.')).toBeVisible()
  await page.getByRole('link', { name: 'Top', exact: true }).click()
  await expect(page).toHaveURL('/')
})

test('log-in and registration focus the first field, but not on touch devices', async ({ page, seat }) => {
  const openForms = async (where: Page, check: (field: Locator) => Promise<void>) => {
    await where.goto('/login')
    await check(where.getByLabel('Email address'))
    await where.getByRole('main').getByRole('link', { name: 'Sign up', exact: true }).click()
    await check(where.getByLabel('User name'))
  }
  await openForms(page, (field) => expect(field).toBeFocused())
  await page.getByRole('link', { name: 'Log in', exact: true }).first().click()
  await expect(page.getByLabel('Email address')).toBeFocused()

  const phone = await seat({ hasTouch: true, isMobile: true })
  await openForms(phone.page, async (field) => {
    await expect(field).toBeVisible()
    await expect(field).not.toBeFocused()
  })
})

// spec: 2.14
test('a log-in can fail; a successful one leads home or back to the previous page, to no other site; a log-out shows a message', async ({
  page,
}) => {
  const email = `${crypto.randomUUID()}@engawa.example`
  await registerMember(page, 'Ben', email)
  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText('Login failed.')).toBeVisible()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'New Post' }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Profile: Ben' }).click()
  await page.getByRole('link', { name: 'Log out' }).click()
  await expect(page.getByText('Log out successful.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Profile: Ben' })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Top' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Post List')
  await page.goto('/logout')
  await expect(page.getByText('Logout failed.')).toBeVisible()

  for (const [next, lands] of [
    ['/follow', '/follow'],
    ['https://elsewhere.example/', '/'],
    ['//elsewhere.example/', '/'],
  ] as const) {
    await page.context().clearCookies()
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Password').press('Enter')
    await expect(page).toHaveURL(lands)
  }
})

test('log-out deletes the member’s data on the device, and asks first where something was not sent', async ({
  member,
}) => {
  const { page, id } = await member('Ann')
  const stored = () =>
    page.evaluate(async () => {
      const opened = indexedDB.open('keyval-store')
      const database = await new Promise<IDBDatabase>((resolve) => {
        opened.onsuccess = () => resolve(opened.result)
      })
      const asked = database.objectStoreNames.contains('keyval')
        ? database.transaction('keyval').objectStore('keyval').getAllKeys()
        : null
      const keys = asked && (await new Promise((resolve) => (asked.onsuccess = () => resolve(asked.result))))
      return [...Object.keys(localStorage), ...((keys as string[] | null) ?? [])]
    })
  await page.goto('/post')
  await page.locator('textarea').first().fill('half a post')
  await page.evaluate((id) => {
    localStorage.setItem(`engawa:talk:${id}:private-1`, 'half a message')
    localStorage.setItem(`engawa:talk:${id}7:private-1`, 'of another member')
  }, id)
  await page.goto('/logout')
  await expect(page.getByText('You have unsent posts or messages on this device.')).toBeVisible()
  await page.getByRole('link', { name: 'Stay logged in' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/post')
  await expect(page.locator('textarea').first()).toHaveValue('half a post')
  await page.context().addCookies([{ name: 'lang', value: 'ja', url: page.url() }])
  await page.goto('/logout')
  await expect(page.getByText('送信していない下書き')).toBeVisible()
  expect(await stored()).toContain(`engawa:draft:${id}`)
  await page.getByRole('button', { name: '削除してログアウト' }).click()
  await expect(page.getByText('ログアウトしました。')).toBeVisible()
  const left = (await stored()).filter((key) => key.startsWith('engawa:') && key.includes(String(id)))
  expect(left).toEqual([`engawa:talk:${id}7:private-1`])
  expect((await page.request.get('/api/user')).status()).toBe(401)
})

test('every page for members asks a visitor to log in', async ({ page }) => {
  for (const path of ['/followingpostlist', '/post', '/edit', '/follow'])
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('alert').filter({ hasText: 'Please log in.' })).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toHaveAttribute(
        'href',
        `/login?next=${encodeURIComponent(path)}`,
      )
    })
})

async function mailedLink(folder: string, to: string) {
  const found = async () => {
    const files = await readdir(join(folder, 'mail')).catch(() => [])
    const mails = await Promise.all(
      files.toSorted().map((file) => readFile(join(folder, 'mail', file), 'utf8')),
    )
    const mail = mails.findLast((text) => text.includes(`To: ${to}`))
    return /https?:\/\/\S+\/email\/verify\/\S+/.exec(
      (mail ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '='),
    )?.[0]
  }
  await expect.poll(found).toBeTruthy()
  return (await found())!
}

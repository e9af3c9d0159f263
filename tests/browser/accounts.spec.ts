import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { startServer } from '#tests/server.ts'
import { call, expect, password, test } from './fixture.ts'

test('signing up: the first error of each field, then the message in green', async ({ page, server }) => {
  await page.goto('/register')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign Up')
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann@')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('The email field must be a valid email address.')).toBeVisible()
  await expect(page.getByText('The password field must be at least 8 characters.')).toBeVisible()
  await expect(page.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true')

  await page.getByLabel('Email address').fill('ann.signs.up@engawa.example')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.locator('.notice.good')).toContainText('Registration successful.')
  await expect(page.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()

  // The message is shown for one second only: strings.spec.ts checks its text with the clock stopped.
  await page.goto(await mailedLink(server.folder, 'ann.signs.up@engawa.example'))
  await expect(page).toHaveURL('/')
})

test('a new password can be shown, and says how hard it is to guess', async ({ page }) => {
  await page.goto('/register')
  const password = page.getByLabel('Password')
  const show = page.getByRole('button', { name: 'Show', exact: true })
  await expect(password).toHaveAttribute('type', 'password')
  for (const [typed, said] of [
    ['horse', 'At least 8 characters: 3 to go.'],
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
  await page.context().addCookies([{ name: 'lang', value: 'ja', url: page.url() }])
  await page.reload()
  await page.getByLabel('パスワード').fill('うま')
  await expect(page.getByText('8文字以上。あと6文字です。')).toBeVisible()
  await expect(page.getByRole('button', { name: '表示', exact: true })).toBeVisible()
})

test('the link of the first start makes the first admin, in both languages', async ({ page }) => {
  const fresh = await startServer({
    PORT: '38127',
    PUBLIC_URL: 'http://town.example',
    SETUP_CODE: 'open-sesame',
  })
  await expect.poll(fresh.logs).toContain('http://town.example/setup?code=open-sesame')
  await page.goto(`${fresh.url}/setup`)
  await expect(page.getByText('This page needs the set-up code.')).toBeVisible()
  await page.goto(`${fresh.url}/setup?code=wrong`)
  await expect(page.getByText('The set-up code in this link is not right.')).toBeVisible()
  await expect(page.getByLabel('User name')).toHaveCount(0)
  await page.context().addCookies([{ name: 'lang', value: 'ja', url: fresh.url }])
  await page.goto(`${fresh.url}/setup?code=open-sesame`)
  await expect(page.getByText('このコミュニティーの管理者になります。')).toBeVisible()
  await page.context().clearCookies({ name: 'lang' })
  await page.goto(`${fresh.url}/setup?code=open-sesame`)
  await expect(page.getByText('becomes the admin of this community.')).toBeVisible()
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann@engawa.example')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.locator('.notice.good')).toContainText('Registration successful.')
  expect((await (await page.request.get(`${fresh.url}/api/user`)).json()).is_admin).toBe(true)
  await page.goto(`${fresh.url}/setup?code=open-sesame`)
  await expect(page.getByText('This community has an admin already.')).toBeVisible()
  await page.goto('about:blank')
  await fresh.stop()
})

test('a link that was tampered with', async ({ page }) => {
  await page.goto('/email/verify/1/abc?expires=1&signature=2')
  await expect(page.getByText('Authentication failed.')).toBeVisible()
})

test('without mail, the dashboard says who has the link', async ({ member, admin, server }) => {
  const { page, email } = await member('Ann')
  await page.goto('/dashboard')
  await expect(page.getByText(`${email} is not verified yet. An admin can give you the link`)).toBeVisible()
  await expect(page.getByText('Authentication failed.')).toHaveCount(0)
  await page.goto('/')
  await expect(page.locator('.verify-notice')).toContainText('An admin can give you the link')
  await expect(page.getByText('We sent')).toHaveCount(0)
  const zoe = await admin('Zoe')
  await zoe.page.goto('/dashboard')
  await zoe.page.getByRole('link', { name: 'User list' }).click()
  await expect(zoe.page).toHaveURL('/admin/users')
  expect((await call(page, 'POST', '/api/email/verification-notification')).message).toMatch(/An admin can/)
  await page.goto(await mailedLink(server.folder, email))
  await expect(page).toHaveURL('/')
  expect((await (await page.request.get('/api/user')).json()).email_verified_at).toBeTruthy()
})

test('with mail, the dashboard sends a link again; the first admin is told so', async ({ page }) => {
  const post = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
  await new Promise<void>((resolve) => void post.listen(0, '127.0.0.1', resolve))
  const { port } = post.server.address() as AddressInfo
  const fresh = await startServer({ SMTP_URL: `smtp://127.0.0.1:${port}` })
  await page.goto(`${fresh.url}/register`)
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann@engawa.example')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.locator('.notice.good')).toContainText('Please check your email')
  await expect(page.getByText('You are the admin of this community')).toBeVisible()
  await page.getByRole('link', { name: 'Go to the Admin Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
  await page.goto(`${fresh.url}/dashboard`)
  await expect(page.getByText('We sent a link to ann@engawa.example.')).toBeVisible()
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await expect(page.getByText('A new verification link has been sent to your email address.')).toBeVisible()
  await page.goto('about:blank')
  await fresh.stop()
  await new Promise<void>((resolve) => post.close(resolve))
})

test('log-in fails, succeeds, goes home; log-out says so', async ({ member, browser, server }) => {
  const { email } = await member('Ben')
  const page = await (await browser.newContext({ baseURL: server.url, locale: 'en-GB' })).newPage()
  await page.goto('/login')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Login failed.')).toBeVisible()
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('Password').press('Enter')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'New Post' }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Profile: Ben' }).click()
  await page.getByRole('link', { name: 'Log out' }).click()
  await expect(page.getByText('Log out successful.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Profile: Ben' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Top' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/logout')
  await expect(page.getByText('Logout failed.')).toBeVisible()
})

test('log-out deletes what the device stores for the member, and asks where something was not sent', async ({
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
  await expect(page.getByText('Something that you wrote here was not sent.')).toBeVisible()
  await page.getByRole('link', { name: 'Stay logged in' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/post')
  await expect(page.locator('textarea').first()).toHaveValue('half a post')
  await page.context().addCookies([{ name: 'lang', value: 'ja', url: page.url() }])
  await page.goto('/logout')
  await expect(page.getByText('まだ送信していない下書き')).toBeVisible()
  expect(await stored()).toContain(`engawa:draft:${id}`)
  await page.getByRole('button', { name: '削除してログアウト' }).click()
  await expect(page.getByText('ログアウトしました。')).toBeVisible()
  const left = (await stored()).filter((key) => key.startsWith('engawa:') && key.includes(String(id)))
  expect(left).toEqual([`engawa:talk:${id}7:private-1`])
  expect((await page.request.get('/api/user')).status()).toBe(401)
})

test('log-in leads back to where one was, and nowhere else', async ({ member, browser, server }) => {
  const { email } = await member('Cleo')
  for (const [next, lands] of [
    ['/follow', '/follow'],
    ['https://elsewhere.example/', '/'],
    ['//elsewhere.example/', '/'],
  ] as const) {
    const page = await (await browser.newContext({ baseURL: server.url, locale: 'en-GB' })).newPage()
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('Password').press('Enter')
    await expect(page).toHaveURL(lands)
  }
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

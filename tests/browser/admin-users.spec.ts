import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startServer } from '#tests/server.ts'
import { expect, fetchJson, PASSWORD, type PageMember, test } from './fixture.ts'

// spec: 2.34, 7.18
test('the users page: labels without controls, a search, status chips, the verification link; the admin right is granted and revoked, even by admins for themselves', async ({
  admin,
  member,
}) => {
  const ann = await admin('Ann Looks')
  const ben = await member('Ben Seen')
  const chika = await member('Chika Seen')
  const { page } = ann
  await fetchJson(page, 'POST', `/api/follow/${ben.id}`)
  await page.goto('/admin/users')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users')
  const row = ({ id }: PageMember) => page.locator(`tr[data-account="${id}"]`)
  await page.getByPlaceholder('Search by name or email').fill('n seen')
  await expect(row(ben)).toBeVisible()
  await expect(row(chika)).toHaveCount(0)
  await page.getByPlaceholder('Search by name or email').fill(chika.email.toUpperCase())
  await expect(row(chika)).toBeVisible()
  await expect(row(ben)).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(row(ben).getByText('Unfollow', { exact: true })).toBeVisible()
  await expect(row(chika).getByText('Follow', { exact: true })).toBeVisible()
  await expect(row(ben).getByRole('button')).toHaveCount(1)
  await expect(row(ben)).toContainText('Email not verified')
  await expect(row(ann)).toContainText('Admin')

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const choose = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More about ${name}` }).click()
    await page.locator('.menu:popover-open').getByRole('button', { name: item }).click()
  }
  const copy = () => choose('Ben Seen', 'Copy verification link')
  await copy()
  await expect(page.locator('.toast')).toContainText('The verification link for Ben Seen was copied.')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toContain(`/email/verify/${ben.id}/`)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
  })
  await copy()
  const shown = page.getByRole('dialog').getByLabel('Link')
  await expect(shown).toBeFocused()
  await expect(shown).toHaveValue(new RegExp(`/email/verify/${ben.id}/`))
  expect(
    await shown.evaluate(
      (input: HTMLInputElement) => input.selectionEnd! - input.selectionStart! === input.value.length,
    ),
  ).toBe(true)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

  const dialog = page.getByRole('dialog')
  await choose('Ben Seen', 'Make admin…')
  await expect(dialog.getByRole('heading')).toHaveText('Make Ben Seen an admin?')
  await dialog.getByRole('button', { name: 'Make admin' }).click()
  await expect(page.locator('.toast').last()).toContainText('Ben Seen is now an admin.')
  await expect(row(ben).locator('.chip.pine')).toHaveText('Admin')
  await ben.page.goto(new URL(link).pathname + new URL(link).search)
  await expect(ben.page).toHaveURL('/')
  await ben.page.getByRole('link', { name: 'Admin', exact: true }).first().click()
  await expect(ben.page.locator('.statistics')).toBeVisible()
  await page.getByRole('button', { name: 'More about Ben Seen' }).click()
  await expect(page.locator('.menu:popover-open')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Suspend…' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await choose('Ann Looks', 'Remove admin rights…')
  await expect(dialog).toContainText('This is you')
  await dialog.getByRole('button', { name: 'Remove admin rights' }).click()
  await expect(page.getByRole('heading', { name: 'Only admins can see this page.' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Admin', exact: true })).toHaveCount(0)
})

test('without mail, an admin confirms all addresses at once', async ({ admin, member }) => {
  const { page } = await admin('Ann Confirms')
  const ben = await member('Ben Waits')
  await page.goto('/admin/users')
  await page.getByPlaceholder('Search by name or email').fill(ben.email)
  const row = page.locator(`tr[data-account="${ben.id}"]`)
  await expect(row).toContainText('Email not verified')
  await page.getByRole('button', { name: /^Confirm all addresses \(\d+\)$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm all' }).click()
  await expect(page.locator('.toast').last()).toContainText('confirmed')
  await expect(row).toContainText('Verified')
  await expect(page.getByRole('button', { name: /^Confirm all addresses/ })).toHaveCount(0)
})

test('a suspension logs the member out, refuses log-in with a reason, and can be lifted', async ({
  admin,
  member,
}) => {
  const { page } = await admin('Ann Guards')
  const ben = await member('Ben Rude')
  await ben.page.goto('/edit')
  await page.goto('/admin/users')
  await page.getByPlaceholder('Search by name or email').fill(ben.email)
  const row = page.locator(`tr[data-account="${ben.id}"]`)
  const choose = async (item: string) => {
    await row.getByRole('button', { name: 'More about Ben Rude' }).click()
    await page.locator('.menu:popover-open').getByRole('button', { name: item }).click()
  }
  await choose('Suspend…')
  await expect(page.getByRole('dialog').getByRole('heading')).toHaveText('Suspend the account of Ben Rude?')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(row.getByText('Suspended')).toBeVisible()
  expect((await ben.page.request.get('/api/user')).status()).toBe(401)
  await expect(ben.page.getByRole('button', { name: 'Profile: Ben Rude' })).toHaveCount(0)

  await ben.page.goto('/login')
  const logIn = async () => {
    await ben.page.getByLabel('Email address').fill(ben.email)
    await ben.page.getByLabel('Password').fill(PASSWORD)
    await ben.page.getByRole('button', { name: 'Log in', exact: true }).click()
  }
  await logIn()
  await expect(ben.page.locator('.notice.error')).toContainText('Login failed.')
  await expect(ben.page.locator('.notice.error')).toContainText(
    'This account is suspended. Please contact an admin.',
  )

  await choose('Lift suspension…')
  await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click()
  await expect(row.getByText('Suspended')).toHaveCount(0)
  await logIn()
  await expect(ben.page).toHaveURL('/')
})

test('with five thousand users, the search finds users beyond the first page', async ({ browser }) => {
  const server = await startServer({ RATE_LIMIT: 'off' })
  const page = await (await browser.newContext({ baseURL: server.url, locale: 'en-GB' })).newPage()
  await page.request.get('/sanctum/csrf-cookie')
  const account = {
    name: 'Ann',
    email: 'ann@engawa.example',
    password: PASSWORD,
    password_confirmation: PASSWORD,
  }
  await fetchJson(page, 'POST', '/api/register', account)
  moveIn(join(server.folder, 'engawa.db'), 5000)

  await page.goto('/admin/creategroup')
  const boxes = page.getByRole('list', { name: 'All users' }).getByRole('checkbox')
  await expect(boxes).toHaveCount(999)
  await page.getByRole('checkbox', { name: 'Neighbour 100', exact: true }).check()
  await page.getByPlaceholder('Search by Username').fill('neighbour 4999')
  await expect(boxes).toHaveCount(1)
  await boxes.check()
  await page.getByLabel('Group name').fill('Two of many')
  await page.getByRole('button', { name: 'Create group' }).click()
  await expect(page.locator('.notice.success')).toHaveText(
    'The group “Two of many” was created, and 2 users were added.',
  )

  await page.goto('/admin/users')
  await expect(page.locator('tbody tr')).toHaveCount(100)
  await expect(page.getByText('1000+ people')).toBeVisible()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.locator('tbody tr')).toHaveCount(200)
  await page.getByPlaceholder('Search by name or email').fill('n4998@')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page.locator('tbody tr')).toContainText('Neighbour 4998')
  await page.context().close()
  await server.stop()
})

function moveIn(file: string, count: number) {
  const db = new DatabaseSync(file, { timeout: 10_000 })
  db.exec('begin immediate')
  const insert = db.prepare(
    'insert into users (name, name_key, sort_key, email, email_key, password_hash, created_at) values (?, ?, ?, ?, ?, ?, ?)',
  )
  for (let n = 1; n <= count; n++) {
    const email = `n${n}@engawa.example`
    const key = `neighbour ${n}`
    insert.run(`Neighbour ${n}`, key, key, email, email, '-', new Date().toISOString())
  }
  db.exec('commit')
  db.close()
}

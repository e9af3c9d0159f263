import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  fetchJson,
  registerMember,
  test,
  writePost,
} from './fixture.ts'

const paths = ['/admin/dashboard', '/admin/creategroup', '/admin/users']

// spec: 6.4, 8.7
test('visitors are asked to log in; members are told that it is for admins', async ({ page, member }) => {
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Please log in.' })).toBeVisible()
  }
  const { page: ben } = await member('Ben Plain')
  for (const path of paths) {
    await ben.goto(path)
    await expect(ben.getByRole('heading', { name: 'Only admins can see this page.' })).toBeVisible()
    await expect(ben.locator('form, table, .statistics, .header-aside > *')).toHaveCount(0)
  }
})

/** Registers people who only appear in lists. All use one page one after another, which opens nothing. */
async function registerPeople(page: Page, names: readonly string[]) {
  const ids: number[] = []
  for (const name of names) {
    const email = `${crypto.randomUUID()}@engawa.example`
    ids.push(await registerMember(page, name, email))
    await page.context().clearCookies()
  }
  return ids
}

// spec: 1.9, 2.32, 2.33, 4.8, 4.9, 8.12
test('a group is created, and the selected members are added one at a time; what failed is told and tried again', async ({
  admin,
  page: elsewhere,
}) => {
  const people = await registerPeople(elsewhere, ['Ben Potter', 'Chika Potter', 'Dai Potter', 'Emi Baker'])
  const { page, id: me } = await admin('Ann Creates')
  await page.goto('/admin/dashboard')
  await page.getByRole('main').getByRole('link', { name: 'Create Group' }).click()
  await expect(page).toHaveURL('/admin/creategroup')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create Group')
  const name = page.getByLabel('Group name')
  const create = page.getByRole('button', { name: 'Create group' })
  const success = page.locator('.notice.success')

  await create.click()
  const alert = page.getByRole('alert').filter({ hasText: '失敗しました' })
  await expect(alert).toBeVisible()
  await expect(alert.locator('[lang=ja]')).toHaveText('失敗しました')
  await expect(alert).toContainText('The group was not created.')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expect(name).toBeFocused()
  await name.fill('Choir')
  await page.route('**/api/groups', (route) => route.abort(), { times: 1 })
  await create.click()
  await expect(page.locator('.notice.error')).toContainText('No connection.')
  await expect(name).toHaveValue('Choir')
  await create.click()
  await expect(success).toHaveText('The group “Choir” was created, and 0 users were added.')

  await page.getByRole('button', { name: 'Create another group' }).click()
  await expect(name).toHaveValue('')
  const list = page.getByRole('list', { name: 'All users' })
  await expect(list.getByRole('checkbox', { name: 'Ann Creates' })).toHaveCount(0)
  await name.fill('Pottery club')
  const search = page.getByPlaceholder('Search by Username')
  await search.fill('POTTER')
  await expect(list.getByRole('checkbox')).toHaveCount(3)
  await search.press('Enter')
  for (const potter of ['Ben Potter', 'Chika Potter', 'Dai Potter'])
    await list.getByRole('checkbox', { name: potter }).check()
  await list.getByRole('checkbox', { name: 'Dai Potter' }).uncheck()
  await search.fill('')
  await list.getByRole('checkbox', { name: 'Emi Baker' }).check()
  await expect(page.getByText('3 chosen')).toBeVisible()
  await expect(page.locator('.page-header .avatar')).toHaveCount(3)
  const turns: string[] = []
  await page.route('**/add-user', async (route) => {
    const { user_id } = route.request().postDataJSON()
    turns.push(`${user_id} begins`)
    await expect(page.getByText(`Adding ${Math.ceil(turns.length / 2)} of 3…`)).toBeVisible()
    const response = await route.fetch()
    turns.push(`${user_id} is in`)
    await route.fulfill({ response })
  })
  await create.click()
  await expect(success).toHaveText('The group “Pottery club” was created, and 3 users were added.')
  const added = [people[0]!, people[1]!, people[3]!]
  expect(turns).toEqual(added.flatMap((id) => [`${id} begins`, `${id} is in`]))
  const club = await page.getByRole('link', { name: 'Open the group' }).getAttribute('href')
  expect(await readMemberIds(page, club!)).toEqual([me, ...added].sort())
  await page.unroute('**/add-user')

  await page.getByRole('button', { name: 'Create another group' }).click()
  await expect(name).toHaveValue('')
  await expect(page.getByText('0 chosen')).toBeVisible()
  await name.fill('Tea')
  for (const potter of ['Ben Potter', 'Chika Potter'])
    await list.getByRole('checkbox', { name: potter }).check()
  const sentence = 'There is no such user.'
  const refusal = { status: 422, json: { message: sentence, errors: { user_id: [sentence] } } }
  await page.route('**/add-user', (route) => route.fulfill(refusal), { times: 1 })
  await create.click()
  await expect(success).toHaveText('The group “Tea” was created, and 1 user was added.')
  await expect(page.locator('.notice.error')).toHaveText('1 user could not be added:')
  await expect(page.locator('.failed-members li')).toHaveText([`BBen Potter${sentence}`])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(success).toHaveText('The group “Tea” was created, and 2 users were added.')
  await expect(page.locator('.notice.error')).toHaveCount(0)
  await page.getByRole('link', { name: 'Open the group' }).click()
  await expect(page).toHaveURL(/\/group-chat\/\d+$/)
  expect(await readMemberIds(page, page.url())).toEqual([me, people[0]!, people[1]!].sort())
})

/** Returns the ids of the members of the group whose page has this URL. */
async function readMemberIds(page: Page, url: string) {
  const members = await (await page.request.get(`/api/groups/${url.split('/').at(-1)}/members`)).json()
  return members.map((one: { id: number }) => one.id).sort()
}

// spec: 8.16
test('the dashboard: data that did not load is requested again; figures, backups, renaming, and deleting after a dialog that names the group', async ({
  admin,
}) => {
  const { page } = await admin('Ann Rules')
  await writePost(page, 'One of the posts of today')
  const { group } = await fetchJson(page, 'POST', '/api/groups', {
    name: 'Potery club',
  })
  const { group: kept } = await fetchJson(page, 'POST', '/api/groups', {
    name: 'Tea',
  })
  const facts = await (await page.request.get('/api/admin/facts')).json()
  // Opens the dashboard by a link instead of loading it. A loaded page has its data in the HTML, and would
  // not send the request that fails, or whose response is faked.
  const openDashboard = () => page.getByRole('link', { name: 'Admin Dashboard' }).first().click()
  await page.goto('/admin/settings')
  await expect(page.getByLabel('Name of the community')).toBeVisible()
  await page.route('**/api/admin/facts', (route) => route.abort())
  await openDashboard()
  await expect(page.getByRole('heading', { name: 'Couldn’t load this.' })).toBeVisible()
  await page.unroute('**/api/admin/facts')
  await page.getByRole('button', { name: 'Retry' }).last().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin Dashboard')
  const figure = (name: string) =>
    page.locator('.statistics > div').filter({ has: page.getByText(name, { exact: true }) })
  await expect(figure('Members')).toContainText(`${facts.members} +${facts.members_this_week} this week`)
  await expect(figure('Groups')).toContainText(String(facts.groups))
  const row = page.locator(`[data-group="${group.id}"]`)
  await expect(row).toContainText('1 member')
  const backups = page.getByRole('region', { name: 'Backup' })
  await expect(backups).toContainText('There is no backup yet. To make one every night, set BACKUP_AT=03:30')

  await row.getByRole('button', { name: 'More about Potery club' }).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Rename…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Group name')).toBeFocused()
  await dialog.getByLabel('Group name').fill(' ')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(dialog.getByLabel('Group name')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Group name').fill('Pottery  club')
  await dialog.getByLabel('Group name').press('Enter')
  await expect(page.locator('.toast')).toContainText('The group is now called “Pottery club”.')
  await expect(row).toContainText('Pottery club')

  const more = row.getByRole('button', { name: 'More about Pottery club' })
  await more.click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Delete…' }).click()
  await expect(dialog.getByRole('heading')).toHaveText('Delete “Pottery club”?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(more).toBeFocused()
  await more.press('Enter')
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Delete…' }).click()
  await page.route('**/api/groups/*', (route) => route.abort(), { times: 1 })
  await dialog.getByRole('button', { name: 'Delete group' }).click()
  await expect(dialog.locator('.notice.error')).toContainText('No connection.')
  await dialog.getByRole('button', { name: 'Delete group' }).click()
  await expect(
    page.locator('.toast').filter({ hasText: 'The group “Pottery club” was deleted.' }),
  ).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(figure('Groups')).toContainText(String(facts.groups - 1))

  const openDashboardWithBackup = async (backup: object) => {
    await page.goto('/admin/settings')
    await page.route('**/api/admin/facts', (route) => route.fulfill({ json: { ...facts, backup } }), {
      times: 1,
    })
    await openDashboard()
  }
  const good = { made_at: new Date(Date.now() - 9 * 3600_000).toISOString(), bytes: 4_130_000_000 }
  await openDashboardWithBackup({ nightly: true, good, failed: null })
  await expect(backups).toHaveText('Last successful backup: 9 hours ago, 4.1 GB')
  await expect(backups.locator('time')).toHaveAttribute('title', /\d{4}/)
  // Expects that the deleted group is not in a new list of the server either.
  await expect(page.locator(`[data-group="${kept.id}"]`)).toBeVisible()
  await expect(row).toHaveCount(0)
  const failed = { at: new Date().toISOString(), reason: 'The disk is full.' }
  await openDashboardWithBackup({ nightly: true, good, failed })
  await expect(backups.locator('.notice.error')).toHaveText(
    'The last attempt failed (just now): The disk is full.',
  )
  await expectAccessible(page)
})

test('the admin pages fit from 320 px up in both languages; on phones, choosing members moves nothing', async ({
  admin,
  member,
  server,
  page: elsewhere,
}) => {
  await registerPeople(
    elsewhere,
    ['Ben', 'Chi', 'Dai', 'Emi'].map((name) => `${name} Marketkeeper`),
  )
  const { page } = await admin('Wolfeschlegelsteinhausenbergerdorffson')
  const tanaka = await member('田中 一郎左衛門')
  await fetchJson(page, 'POST', '/api/groups', {
    name: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  })
  await fetchJson(page, 'PUT', `/api/admin/users/${tanaka.id}/suspension`)
  for (const { lang, colorScheme, width } of [
    { lang: 'en', colorScheme: 'light', width: 1440 },
    { lang: 'ja', colorScheme: 'dark', width: 390 },
  ] as const) {
    await page.context().addCookies([{ name: 'lang', value: lang, url: server.url }])
    await page.emulateMedia({ colorScheme })
    for (const path of paths) {
      await page.goto(path)
      await expect(page.locator('.statistics small, .checklist input, tbody tr').first()).toBeVisible()
      for (const narrower of [320, 390, 720, 820]) {
        await page.setViewportSize({ width: narrower, height: 844 })
        await expectNoOverflow(page)
      }
      if (path === '/admin/creategroup') await expectNothingMoves(page)
    }
    await page.setViewportSize({ width, height: 800 })
    await expectNoOverflow(page)
    const more = page.locator(`tr[data-account="${tanaka.id}"] button`).first()
    await more.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await expect(page.locator('.menu:popover-open button').first()).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(more).toBeFocused()
  }
})

/** Expects that the rows stay where they are, and that the button to create the group stays visible. */
async function expectNothingMoves(page: Page) {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('searchbox').fill('Marketkeeper')
  const rows = page.getByRole('checkbox', { name: /Marketkeeper/ })
  await expect(rows).toHaveCount(4)
  await expect(page.locator('.form-actions button')).toBeInViewport({ ratio: 1 })
  const top = async () => (await rows.first().boundingBox())!.y
  const before = await top()
  for (const row of await rows.all()) {
    await row.evaluate((box: HTMLInputElement) => box.click())
    expect(await top()).toBe(before)
  }
}

import { expect, fetchJson, PASSWORD, test } from './fixture.ts'

test('a person asks to join, waits, and logs in after an admin has approved', async ({
  admin,
  page: cho,
}) => {
  const { page } = await admin('Ann')
  const { settings: before } = await (await page.request.get('/api/admin/settings')).json()
  const email = `${crypto.randomUUID()}@engawa.example`
  await page.goto('/admin/settings')
  await page.getByLabel('People whom an admin approves').check()
  await page.getByLabel('The question').fill('Which house is yours?')
  // The choice before it is saved, and announced, too.
  const saved = page.waitForResponse(
    (answer) => answer.request().postData()?.includes('Which house') === true,
  )
  await page.getByRole('button', { name: 'Save question' }).click()
  await saved

  await cho.goto('/register')
  await cho.getByLabel('User name').fill('Cho')
  await cho.getByLabel('Email address').fill(email)
  await cho.getByLabel('Password').fill(PASSWORD)
  await cho.getByLabel('Which house is yours?').fill('The one with the red door.')
  await cho.getByRole('button', { name: 'Ask to join' }).click()
  const waits = cho.getByText('Your request is with the admins.')
  await expect(waits).toBeVisible()
  await cho.reload()
  await expect(waits).toBeVisible()

  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: '1 person asks to join' }).click()
  await expect(page.getByText('The one with the red door.')).toBeVisible()
  await page.getByRole('button', { name: 'Approve Cho' }).click()
  await expect(page.getByText('Cho is a member now.')).toBeVisible()
  await expect(page.getByText('Nobody waits for an answer.')).toBeVisible()

  await cho.reload()
  await expect(cho.getByText('Welcome! An admin has approved your request.')).toBeVisible()
  await cho.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await cho.getByLabel('Email address').fill(email)
  await cho.getByLabel('Password').fill(PASSWORD)
  await cho.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(cho).toHaveURL('/')
  // Saves the former settings again, because the other tests of this worker share the server.
  const { who_can_join, join_question } = before
  await fetchJson(page, 'PATCH', '/api/admin/settings', {
    who_can_join,
    join_question,
  })
})

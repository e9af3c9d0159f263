import { expect, fetchApiJsonWithCookiesOfTestPage, test } from './fixture.ts'

test('a post for followers is shown to a follower, and the device remembers the choice', async ({
  member,
}) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const write = async (text: string) => {
    await ann.page.goto('/post')
    await ann.page.getByLabel('Text of the post').fill(text)
  }
  const submit = () => ann.page.getByRole('button', { name: 'Post', exact: true }).click()
  const post = (text: string) => ben.page.getByRole('article').filter({ hasText: text })

  await write('The key is under the pot')
  await expect(ann.page.getByLabel('Who can see this')).toHaveValue('everyone')
  await ann.page.getByLabel('Who can see this').selectOption({ label: 'My followers' })
  await submit()
  await expect(ann.page.getByText('Only followers can see this').first()).toBeAttached()

  await ben.page.goto(`/people/${ann.id}`)
  await expect(ben.page.getByText(`${ann.name} has no posts to show.`)).toBeVisible()
  await ben.page.getByRole('button', { name: `Follow ${ann.name}` }).click()
  await expect(post('The key is under the pot')).toContainText('Only followers can see this')
  await expect(ben.page.getByText('1 post', { exact: true })).toBeVisible()

  await write('It is a heavy pot')
  await expect(ann.page.getByLabel('Who can see this')).toHaveValue('followers')
  await submit()
  await ben.page.getByRole('button', { name: '1 new post' }).click()
  await expect(post('It is a heavy pot')).toBeVisible()

  await ben.page.getByRole('button', { name: `Unfollow ${ann.name}` }).click()
  await expect(post('The key is under the pot')).toHaveCount(0)
  await expect(post('It is a heavy pot')).toHaveCount(0)
})

test('a post for a group is shown to its members, with the name of the group', async ({ admin, member }) => {
  const [ann, ben, cleo] = [await admin('Ann'), await member('Ben'), await member('Cleo')]
  const { group } = await fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', '/api/groups', {
    name: 'Garden',
  })
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', `/api/groups/${group.id}/add-user`, {
    user_id: ben.id,
  })
  await ann.page.goto('/post')
  await ann.page.getByLabel('Text of the post').fill('The beans are ripe')
  await ann.page.getByLabel('Who can see this').selectOption({ label: 'Garden' })
  await ann.page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(ann.page.getByText('Only the group “Garden” can see this').first()).toBeAttached()
  await ben.page.goto(`/people/${ann.id}`)
  await expect(ben.page.getByRole('article')).toContainText('Only the group “Garden” can see this')
  await cleo.page.goto(`/people/${ann.id}`)
  await expect(cleo.page.getByText(`${ann.name} has no posts to show.`)).toBeVisible()

  await ann.page.goto('/post')
  await expect(ann.page.getByLabel('Who can see this')).toHaveValue(`group ${group.id}`)
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'DELETE', `/api/groups/${group.id}`)
  await ann.page.reload()
  await expect(ann.page.getByLabel('Who can see this')).toHaveValue('members')
})

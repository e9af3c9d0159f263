import { PostList } from '#features/posts/web/PostList.tsx'
import * as postStore from '#features/posts/web/post-store.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Sidebar } from '#web/Sidebar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { circularEndpoints } from '../contract.ts'
import { circularsText } from './text.ts'

const { path } = circularEndpoints.posts

// Live posts join the loaded list.
postStore.listFinders.push(({ files }) => (files ? [path] : []))

export default function Page() {
  const t = useText(circularsText)
  const me = useMe()
  const newPost = { path: '/post', text: t.write }
  const empty = (
    <EmptyState title={t.empty} help={t.emptyHelp}>
      {me ? (
        <ButtonLink kind="primary" href={newPost.path}>
          {newPost.text}
        </ButtonLink>
      ) : (
        <ButtonLink href="/">{t.allPosts}</ButtonLink>
      )}
    </EmptyState>
  )
  return (
    <PageLayout sidebar={<Sidebar />}>
      <PageHeader title={t.title} sub={t.subtitle} />
      <PostList path={path} me={me} newPost={newPost} empty={empty} />
    </PageLayout>
  )
}

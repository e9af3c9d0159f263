import { useState } from 'react'
import { VerifyEmailNotice } from '#features/people/web/VerifyEmailNotice.tsx'
import { useText } from '#web/i18n.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { OnlineMembers } from '#web/OnlineMembers.tsx'
import { Sidebar, VisitorWelcome } from '#web/Sidebar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { FirstStepsCard } from './FirstStepsCard.tsx'
import { PostList } from './PostList.tsx'
import { usePinnedPosts } from './pinned-posts.ts'
import * as store from './post-store.ts'
import { postsText } from './text.ts'
import { useInstallHint } from './useInstallHint.ts'

const followingPath = '/followingpostlist'

export default function PostListPage() {
  const [path] = useState(() => location.pathname)
  return path === followingPath ? <FollowedPosts /> : <AllPosts />
}

function AllPosts() {
  const me = useMe()
  const t = useText(postsText)
  const { posts: pinned } = usePinnedPosts()
  const Hint = useInstallHint(me !== null)
  const empty = (
    <EmptyState title={me ? t.nothingYet : t.nothingYetVisitor}>
      <ButtonLink kind="primary" href={me ? '/post' : '/register'}>
        {me ? t.writePost : t.signUp}
      </ButtonLink>
    </EmptyState>
  )
  const notice = me ? (
    <>
      {Hint && <Hint />}
      <VerifyEmailNotice />
      <FirstStepsCard me={me} />
    </>
  ) : (
    <VisitorWelcome inline />
  )
  return (
    <PageLayout sidebar={<Sidebar />}>
      <PageHeader title={t.postList}>
        <OnlineMembers />
      </PageHeader>
      {me && <Tabs current="/" />}
      <PostList path={store.allPath} me={me} empty={empty} notice={notice} pinned={pinned} />
    </PageLayout>
  )
}

function FollowedPosts() {
  const me = useMe()
  const t = useText(postsText)
  const empty = (
    <EmptyState title={t.feedEmpty} help={t.feedEmptyHelp}>
      <ButtonLink kind="primary" href="/follow">
        {t.findPeople}
      </ButtonLink>
    </EmptyState>
  )
  return (
    <PageLayout sidebar={me && <Sidebar />}>
      <PageHeader title={t.followingPostList} titleLang="ja" sub={t.followingSubtitle}>
        <OnlineMembers />
      </PageHeader>
      {me && <Tabs current={followingPath} />}
      {me ? (
        <PostList path={store.followedPath} me={me} empty={empty} notice={<VerifyEmailNotice />} />
      ) : (
        <LogInPrompt />
      )}
    </PageLayout>
  )
}

function Tabs({ current }: { current: string }) {
  const t = useText(postsText)
  const tabs = { '/': t.everyone, [followingPath]: t.following }
  return (
    <nav className="tabs" aria-label={t.whichPosts}>
      {Object.entries(tabs).map(([path, label]) => (
        <Link key={path} href={path} aria-current={path === current ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}

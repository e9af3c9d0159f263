import { useState } from 'react'
import { VerifyEmailNotice } from '#features/people/web/VerifyEmailNotice.tsx'
import { useText } from '#web/i18n.ts'
import { LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { OnlineMembersMenu } from '#web/OnlineMembersMenu.tsx'
import { MemberSidebarOrVisitorWelcome, VisitorWelcome } from '#web/Sidebar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { FirstStepsCard } from './FirstStepsCard.tsx'
import { PostList } from './PostList.tsx'
import { usePinnedPostsOfGroupOrCommunity } from './pinned-posts.ts'
import { allPostsApiPath, postsByFollowedPeopleApiPath } from './post-store.ts'
import { postsText } from './text.ts'

const followingPath = '/followingpostlist'

/**
 * Renders the page with everybody's posts, or with the posts of the people whom the reader follows, newest
 * first.
 */
export default function PostListPage() {
  const [path] = useState(() => location.pathname)
  return path === followingPath ? <FollowedPosts /> : <AllPosts />
}

function AllPosts() {
  const me = useMe()
  const t = useText(postsText)
  const { posts: pinned } = usePinnedPostsOfGroupOrCommunity()
  const empty = (
    <EmptyState title={me ? t.nothingYet : t.nothingYetVisitor}>
      <ButtonLink kind="primary" href={me ? '/post' : '/register'}>
        {me ? t.writePost : t.signUp}
      </ButtonLink>
    </EmptyState>
  )
  const notice = me ? (
    <>
      <VerifyEmailNotice />
      <FirstStepsCard me={me} />
    </>
  ) : (
    <VisitorWelcome inline />
  )
  return (
    <PageLayout sidebar={<MemberSidebarOrVisitorWelcome />}>
      <PageHeader title={t.postList}>
        <OnlineMembersMenu />
      </PageHeader>
      {me && <Tabs current="/" />}
      <PostList path={allPostsApiPath} me={me} empty={empty} notice={notice} pinned={pinned} />
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
    <PageLayout sidebar={me && <MemberSidebarOrVisitorWelcome />}>
      <PageHeader title={t.followingPostList} titleLang="ja" sub={t.followingSubtitle}>
        <OnlineMembersMenu />
      </PageHeader>
      {me && <Tabs current={followingPath} />}
      {me ? (
        <PostList path={postsByFollowedPeopleApiPath} me={me} empty={empty} notice={<VerifyEmailNotice />} />
      ) : (
        <LogInPromptBox />
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

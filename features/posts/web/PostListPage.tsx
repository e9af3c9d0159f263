import { useState } from 'react'
import { Link } from 'wouter'
import { VerifyNotice } from '#features/people/web/VerifyNotice.tsx'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { PleaseLogIn } from '#web/NotLoaded.tsx'
import { OnlineNow } from '#web/OnlineNow.tsx'
import { Sidebar, VisitorWelcome } from '#web/Sidebar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Posts } from './Posts.tsx'
import { allPosts, followedPosts } from './post-store.ts'
import { postsText } from './text.ts'

const followedPath = '/followingpostlist'

/** Everybody's posts, or those of the people that the reader follows. Newest first. */
export default function PostListPage() {
  const [path] = useState(() => location.pathname)
  return path === followedPath ? <FollowedPosts /> : <AllPosts />
}

function AllPosts() {
  const me = useMe()
  const t = useText(postsText)
  const empty = (
    <Empty title={me ? t.nothingYet : t.nothingYetVisitor}>
      <ButtonLink kind="primary" href={me ? '/post' : '/register'}>
        {me ? t.writePost : t.signUp}
      </ButtonLink>
    </Empty>
  )
  const notice = me ? (
    <>
      <VerifyNotice />
      <FirstSteps me={me} />
    </>
  ) : (
    <VisitorWelcome inline />
  )
  return (
    <PageLayout sidebar={<Sidebar />}>
      <PageHeader title={t.postList}>
        <OnlineNow />
      </PageHeader>
      {me && <Tabs current="/" />}
      <Posts list={allPosts} me={me} empty={empty} notice={notice} />
    </PageLayout>
  )
}

function FollowedPosts() {
  const me = useMe()
  const t = useText(postsText)
  const empty = (
    <Empty title={t.feedEmpty} help={t.feedEmptyHelp}>
      <ButtonLink kind="primary" href="/follow">
        {t.findPeople}
      </ButtonLink>
    </Empty>
  )
  return (
    <PageLayout sidebar={me && <Sidebar />}>
      <PageHeader title={t.followingPostList} titleLang="ja" sub={t.followingSub}>
        <OnlineNow />
      </PageHeader>
      {me && <Tabs current={followedPath} />}
      {me ? <Posts list={followedPosts} me={me} empty={empty} notice={<VerifyNotice />} /> : <PleaseLogIn />}
    </PageLayout>
  )
}

function Tabs({ current }: { current: string }) {
  const t = useText(postsText)
  const tabs = { '/': t.everyone, [followedPath]: t.following }
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

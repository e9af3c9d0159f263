import '#features/posts/ui.css'
import { PleaseLogIn } from '#features/people/PleaseLogIn.tsx'
import { VerifyNotice } from '#features/people/VerifyNotice.tsx'
import { followed } from '#features/posts/lists.tsx'
import { Posts } from '#features/posts/Posts.tsx'
import { Tabs } from '#features/posts/Tabs.tsx'
import { postsText } from '#features/posts/text.ts'
import { OnlineNow } from '#web/HereNow.tsx'
import { useMe } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LogoHouse } from '#web/ui/House.tsx'
import { PageHeader } from '#web/ui/Sill.tsx'
import { Sidebar } from '#web/Veranda.tsx'

/** What the people one follows have posted. */
export default function FollowingPostListPage() {
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
    <LogoHouse veranda={me && <Sidebar />}>
      <PageHeader title={t.followingPostList} titleLang="ja" sub={t.followingSub}>
        <OnlineNow />
      </PageHeader>
      {me && <Tabs current="following" />}
      {me ? <Posts list={followed} me={me} empty={empty} notice={<VerifyNotice />} /> : <PleaseLogIn />}
    </LogoHouse>
  )
}

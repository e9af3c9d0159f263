import '#features/posts/ui.css'
import type { Me } from '#features/people/contract.ts'
import { VerifyNotice } from '#features/people/VerifyNotice.tsx'
import { FirstSteps } from '#features/posts/FirstSteps.tsx'
import { everyone } from '#features/posts/lists.tsx'
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
import { VisitorWelcome } from '#web/VisitorWelcome.tsx'

const Notices = ({ me }: { me: Me }) => (
  <>
    <VerifyNotice />
    <FirstSteps me={me} />
  </>
)

/** Everybody's posts, newest first. */
export default function PostListPage() {
  const me = useMe()
  const t = useText(postsText)
  const empty = (
    <Empty title={me ? t.nothingYet : t.nothingYetVisitor}>
      <ButtonLink kind="primary" href={me ? '/post' : '/register'}>
        {me ? t.writePost : t.signUp}
      </ButtonLink>
    </Empty>
  )
  return (
    <LogoHouse veranda={<Sidebar />}>
      <PageHeader title={t.postList}>
        <OnlineNow />
      </PageHeader>
      {me && <Tabs current="everyone" />}
      <Posts list={everyone} me={me} empty={empty} notice={me ? <Notices me={me} /> : <VisitorWelcome inline />} />
    </LogoHouse>
  )
}

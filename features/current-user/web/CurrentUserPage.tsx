import './current-user.css'
import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { type Me, peopleEndpoints } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { HeaderAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { currentUserText } from './text.ts'

export default function CurrentUserPage() {
  const t = useText(currentUserText)
  const explain = useErrorText()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['current user'],
    queryFn: () => callEndpoint(peopleEndpoints.me, {}),
    enabled: false,
    retry: false,
    gcTime: 0,
  })
  const isVisitor = hasStatus(error, 401)
  const ask = async () => hasStatus((await refetch()).error, 401) && showLogInToast()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.currentUser}>
        <HeaderAvatars />
      </PageHeader>
      <div className="cards">
        <div className="card stack current-user">
          <p className="text-soft">{t.about}</p>
          <Button kind="primary" icon={UserRound} pending={isFetching} onClick={ask}>
            {t.fetch}
          </Button>
          {error && !isVisitor && <Notice kind="error">{explain(error)}</Notice>}
        </div>
        {data && !error && <UserRecord me={data} />}
      </div>
    </PageLayout>
  )
}

const UserRecord = ({ me }: { me: Me }) => (
  <section className="card" aria-label={useText(currentUserText).record}>
    <dl className="record">
      {Object.entries(me).map(([field, value]) => (
        <div key={field}>
          <dt lang="en">{field}</dt>
          <dd>
            {typeof value === 'string' ? <UserText>{value}</UserText> : <code>{JSON.stringify(value)}</code>}
          </dd>
        </div>
      ))}
    </dl>
  </section>
)

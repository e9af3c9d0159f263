import '#features/whoami/ui.css'
import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { type Me, people } from '#features/people/contract.ts'
import { currentUserText } from '#features/whoami/text.ts'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/failure.ts'
import { useText } from '#web/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { LogoHouse } from '#web/ui/House.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Notice } from '#web/ui/Said.tsx'
import { PageHeader, EmptyAvatars } from '#web/ui/Sill.tsx'

/** The test button of the first days: what the server says of whoever asks. */
export default function UserPage() {
  const t = useText(currentUserText)
  const explain = useExplain()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['whoami'],
    queryFn: () => api(people.me, {}),
    enabled: false,
    retry: false,
    gcTime: 0,
  })
  const isVisitor = isHttpError(error, 401)
  const ask = async () => isHttpError((await refetch()).error, 401) && pleaseLogIn()
  return (
    <LogoHouse kind="inset">
      <PageHeader title={t.currentUser}>
        <EmptyAvatars />
      </PageHeader>
      <div className="boards">
        <div className="board stack whoami">
          <p className="soft">{t.about}</p>
          <Button kind="primary" icon={UserRound} pending={isFetching} onClick={ask}>
            {t.fetch}
          </Button>
          {error && !isVisitor && <Notice kind="bad">{explain(error)}</Notice>}
        </div>
        {data && !error && <Record me={data} />}
      </div>
    </LogoHouse>
  )
}

const Record = ({ me }: { me: Me }) => (
  <section className="board" aria-label={useText(currentUserText).record}>
    <dl className="record">
      {Object.entries(me).map(([field, value]) => (
        <div key={field}>
          <dt lang="en">{field}</dt>
          <dd>{typeof value === 'string' ? <Name>{value}</Name> : <code>{JSON.stringify(value)}</code>}</dd>
        </div>
      ))}
    </dl>
  </section>
)

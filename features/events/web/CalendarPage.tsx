import './calendar.css'
import { CalendarPlus } from 'lucide-react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { useAudienceGroups } from '#features/posts/web/audience-groups.ts'
import { beginPost } from '#features/posts/web/draft-keys.ts'
import { useText } from '#web/i18n.ts'
import { LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Sidebar } from '#web/Sidebar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PageSections } from '#web/views.tsx'
import { calendarText } from './calendar-text.ts'
import { EventList } from './EventList.tsx'
import { Month } from './Month.tsx'
import { pathOf, read, type Shown } from './shown.ts'
import { startingValue } from './starting-value.ts'

export default function CalendarPage() {
  const t = useText(calendarText)
  const me = useMe()
  const shown = read(useSearch())
  const show = (change: Partial<Shown>) => navigate(pathOf({ ...shown, ...change }), { replace: true })
  return (
    <PageLayout sidebar={<Sidebar />}>
      <PageHeader title={t.title}>{me && <AddButton me={me.id} group={shown.group} />}</PageHeader>
      <div className="calendar-choices">
        <SegmentedControl
          label={t.layout}
          options={[
            { value: 'list', label: t.list },
            { value: 'month', label: t.month },
          ]}
          value={shown.layout}
          onChange={(layout) => show({ layout })}
        />
        {me && <WhoseSelect shown={shown} onShow={show} />}
      </div>
      {me || !shown.mine ? (
        shown.layout === 'month' ? (
          <Month shown={shown} onShow={show} />
        ) : (
          <EventList key={`${shown.mine} ${shown.group}`} shown={shown} />
        )
      ) : (
        <LogInPrompt />
      )}
      <PageSections path="/events" />
    </PageLayout>
  )
}

/** All, one's own, or those of a group. */
function WhoseSelect({ shown, onShow }: { shown: Shown; onShow: (change: Partial<Shown>) => void }) {
  const t = useText(calendarText)
  const { data: groups = [] } = useAudienceGroups(true)
  const { mine, group } = shown
  return (
    <select
      className="input"
      aria-label={t.whose}
      value={mine ? 'mine' : (group ?? 'all')}
      onChange={({ target: { value } }) => onShow({ mine: value === 'mine', group: Number(value) || null })}
    >
      <option value="all">{t.all}</option>
      <option value="mine">{t.mine}</option>
      {groups.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

function AddButton({ me, group }: { me: number; group: number | null }) {
  const t = useText(calendarText)
  const add = () => {
    const begun = {
      text: '',
      extras: { event: startingValue() },
      audience: group === null ? ('members' as const) : (`group ${group}` as const),
    }
    if (!beginPost(me, begun)) showToast(t.draftFirst)
    navigate('/post')
  }
  return (
    <Button kind="primary" icon={CalendarPlus} onClick={add}>
      {t.add}
    </Button>
  )
}

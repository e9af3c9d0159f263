import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { AdminLoadError, DashboardLink } from '#features/people/web/RequireAdmin.tsx'
import { callEndpoint } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { findInitialAnswer } from '#web/page-data.ts'
import { Loading } from '#web/ui/Loading.tsx'
import { adminEndpoints, type SettingsState } from '../contract.ts'
import { AdminLayout } from './AdminLayout.tsx'
import { SettingChoice } from './SettingChoice.tsx'
import { joinText, readText } from './settings-text.ts'
import { adminText } from './text.ts'
import { settingsQueryKey, useSetting } from './useSetting.ts'

/** The page where admins change the settings of the community. Each change is saved at once. */
export default function SettingsPage() {
  return (
    <AdminLayout title={useText(adminText).settings}>
      <DashboardLink />
      <Loaded />
    </AdminLayout>
  )
}

function Loaded() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: settingsQueryKey,
    queryFn: () => callEndpoint(adminEndpoints.settings, {}),
    initialData: () => findInitialAnswer(adminEndpoints.settings)?.body as SettingsState | undefined,
  })
  if (data) return <SettingList {...data} />
  if (!error) return <Loading />
  return <AdminLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
}

function SettingList({ settings, fixed }: SettingsState) {
  const t = useText(adminText)
  const isSamplesFixed = fixed.includes('show_samples')
  return (
    <div className="cards">
      <WhoCanJoin saved={settings.who_can_join} />
      <WhoCanRead saved={settings.who_can_read} />
      <SettingSwitch
        name="show_samples"
        saved={settings.show_samples}
        isFixed={isSamplesFixed}
        label={t.showSamples}
        help={
          <>
            {t.aboutSamples} {isSamplesFixed && <FixedBy words={t.samplesFixed} />}
          </>
        }
      />
      <SettingSwitch
        name="admins_need_second_step"
        saved={settings.admins_need_second_step}
        isFixed={fixed.includes('admins_need_second_step')}
        label={t.adminsNeedSecondStep}
        help={
          <>
            {t.aboutAdminsSecondStep}{' '}
            <Link className="link" href="/account">
              {t.toAccount}
            </Link>
          </>
        }
      />
    </div>
  )
}

function WhoCanJoin({ saved }: { saved: SettingsState['settings']['who_can_join'] }) {
  const t = useText(joinText)
  return (
    <SettingChoice
      name="who_can_join"
      saved={saved}
      label={t.whoCanJoin}
      choices={[
        { value: 'open', label: t.open, help: t.openHelp },
        { value: 'invitation', label: t.invitation, help: t.invitationHelp },
        { value: 'closed', label: t.closed, help: t.closedHelp },
      ]}
    >
      <Link className="link" href="/admin/new-members">
        {t.toNewMembers}
      </Link>
    </SettingChoice>
  )
}

function WhoCanRead({ saved }: { saved: SettingsState['settings']['who_can_read'] }) {
  const t = useText(readText)
  return (
    <SettingChoice
      name="who_can_read"
      saved={saved}
      label={t.whoCanRead}
      choices={[
        { value: 'everyone', label: t.everyone, help: t.everyoneHelp },
        { value: 'members', label: t.members, help: t.membersHelp },
      ]}
    />
  )
}

interface SwitchProps {
  name: 'show_samples' | 'admins_need_second_step'
  /** The stored value. */
  saved: boolean
  /** Whether an environment variable decides it. */
  isFixed: boolean
  label: string
  help: ReactNode
}

/** A setting that is on or off. A change is saved at once, and taken back if that fails. */
function SettingSwitch({ name, saved, isFixed, label, help }: SwitchProps) {
  const [isChecked, change, dialog] = useSetting(name, saved)
  return (
    <div className="card setting">
      <label className="check">
        <input
          type="checkbox"
          checked={isChecked}
          disabled={isFixed}
          aria-describedby={`about-${name}`}
          onChange={(event) => change(event.target.checked)}
        />
        {label}
      </label>
      <p className="hint" id={`about-${name}`}>
        {help}
      </p>
      {dialog}
    </div>
  )
}

const FixedBy = ({ words: [before, after] }: { words: readonly [string, string] }) => (
  <>
    {before}
    <code>DEMO=off</code>
    {after}
  </>
)

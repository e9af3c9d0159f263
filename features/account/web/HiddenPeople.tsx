import { blockEndpoints, muteEndpoints } from '#features/people/contract.ts'
import { callEndpoint, fetchPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { PeopleSection } from './PeopleSection.tsx'
import { blockedText, mutedText } from './section-text.ts'

export function HiddenPeople() {
  return (
    <>
      <PeopleSection
        id="blocked"
        queryKey={[blockEndpoints.list.path]}
        fetchPage={(from) => fetchPage(blockEndpoints.list, {}, from)}
        texts={useText(blockedText)}
        onRemove={(input) => callEndpoint(blockEndpoints.unblock, input)}
      />
      <PeopleSection
        id="muted"
        queryKey={[muteEndpoints.list.path]}
        fetchPage={(from) => fetchPage(muteEndpoints.list, {}, from)}
        texts={useText(mutedText)}
        onRemove={(input) => callEndpoint(muteEndpoints.unmute, input)}
      />
    </>
  )
}

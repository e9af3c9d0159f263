/**
 * The expected response status of `/my-broadcast-auth` for each channel and role, as a table in plain text.
 * `open` marks a public channel, to which everybody can subscribe without a signature.
 */
export const channelTable = `
channel                                about          visitor  stranger insider  owner    admin
private-chat.:smaller.:larger          chat           401      403      200      200      403
private-group-chat.:group              group          401      403      200      200      403
presence-group-chat.:group             group          401      403      200      200      403
presence-user.:user                    person         401      403      403      200      403
private-roll-call.:call                roll-call      401      403      403      403      200
private-open-groups                    -              401      200      200      200      200
private-album.:album                   album          401      200      200      200      200
presence-here                          -              401      200      200      200      200
posts                                  -              open     open     open     open     open
chat                                   -              open     open     open     open     open
`

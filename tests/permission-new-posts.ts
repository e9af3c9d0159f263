/** Lines of `endpointTable` about the choice of whose new posts a member is told of. */
export const newPostRows = `newPosts.get                           -              401      200      200      200      200      -
newPosts.save                          new-post-mode  401      200      200      200      200      200
newPosts.choosePerson                  person         401      200      200      422      200      404
newPosts.dropPerson                    person         401      200      200      200      200      200
newPosts.chooseGroup                   group          401      403      200      200      403      403
newPosts.dropGroup                     group          401      200      200      200      200      200
notifications.markPostsSeen            seen-posts     401      200      200      200      200      200
`

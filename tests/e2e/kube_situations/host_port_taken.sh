# SPDX-License-Identifier: Apache-2.0
# Another pod has the port of the node.
says='*1 node(s) didn*t have free ports for the requested pod ports, 63*'
class=constraint
port='ports: [{containerPort: 80, hostPort: 8080}]'
make() {
    shaped q '' "nodeName: gpu-001" | sed "s/image: none/&, $port/" | apply
    shaped p '' "$(on_node 1)" | sed "s/image: none/&, $port/" | apply
}
facts='.constraints | any(.name == "NodePorts" and .only == 1)'
remedy() { kubectl delete pod q >/dev/null; }

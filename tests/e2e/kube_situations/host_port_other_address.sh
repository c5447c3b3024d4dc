# SPDX-License-Identifier: Apache-2.0
# The same port of another address, or of another protocol, is another port.
says='*1 Insufficient nvidia.com/gpu, 63*'
class=constraint
make() {
    shaped q "$(gpus 8)" 'nodeName: gpu-001' |
        sed 's/image: none/&, ports: [{containerPort: 80, hostPort: 8080, hostIP: 10.0.0.1}, {containerPort: 81, hostPort: 8081, protocol: UDP}]/' | apply
    shaped p "$(gpus 1)" "$(on_node 1)" |
        sed 's/image: none/&, ports: [{containerPort: 80, hostPort: 8080, hostIP: 10.0.0.2}, {containerPort: 81, hostPort: 8081}]/' | apply
}
facts='.constraints | all(.name != "NodePorts")'
